import { sql, type Kysely } from 'kysely';

/** What a refresh token was exchanged for, to see two lines of descent; and answers kept letter for letter. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refresh_tokens add column parent_hash bytea;

    -- jsonb would give the fields of a repeated answer in another order.
    alter table idempotent_requests alter column answer type json;
  `.execute(db);
}
