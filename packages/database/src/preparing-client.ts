import { createHash } from 'node:crypto';
import pg from 'pg';

/** Statements beyond these are sent as they are: texts that vary with their number of values would never be used again. */
const MOST_VALUES = 40;
const MOST_NAMES = 500;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MOST_NAMES) return undefined;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  names.set(text, name);
  return name;
}

/**
 * A client that lets the server keep the plan of each statement it has seen: the same few dozen are sent again and
 * again, and parsing and planning them anew costs Postgres about a third of its time. The name is the text's hash, so
 * that one name never stands for two texts.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this);
    // What comes in goes out in the same form: one function in the place of all of pg's overloads.
    this.query = ((...call: unknown[]) =>
      Reflect.apply(send, this, named(call)) as unknown) as pg.Client['query'];
  }
}

/** A call of query(text, values) with the statement's name; every other form as it is. */
function named(call: unknown[]): unknown[] {
  const [text, values, ...rest] = call;
  // Without values it may be several statements in one text, which can't be prepared.
  const isOne = typeof text === 'string' && Array.isArray(values) && values.length > 0;
  const name = isOne && values.length <= MOST_VALUES ? nameOf(text) : undefined;
  return name === undefined ? call : [{ name, text, values }, ...rest];
}
