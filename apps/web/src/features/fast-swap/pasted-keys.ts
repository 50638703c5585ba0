const KEY = /^(?:0x)?([0-9a-fA-F]{64})$/;

export interface PastedKeys {
  /** With 0x in front, each once, in the order they stand in. */
  readonly keys: readonly string[];
  /** Lines that are no key. */
  readonly invalidLines: number;
}

/** Spec §5: one key a line, 64 hex digits with or without 0x; other lines are dropped. */
export function readPastedKeys(text: string): PastedKeys {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const keys = lines.flatMap((line) => {
    const digits = KEY.exec(line)?.[1];
    return digits === undefined ? [] : [`0x${digits.toLowerCase()}`];
  });
  return { keys: [...new Set(keys)], invalidLines: lines.length - keys.length };
}
