/** What this needs of a zod schema of the contract. */
interface Schema {
  safeParse(values: unknown): {
    error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } | undefined;
  };
}

/** The first issue of each field that a schema refuses, as `useForm` wants its errors: field → code or text. */
export function fieldIssues(schema: Schema, values: unknown): Record<string, string> {
  const issues: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(values).error?.issues ?? []) {
    issues[path.join('.')] ??= message;
  }
  return issues;
}
