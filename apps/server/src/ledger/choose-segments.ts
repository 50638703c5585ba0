/** A stretch of the ledger between two blocks' beginnings, or what is newer than all blocks. */
export interface Segment {
  /** Null: newer than all blocks. */
  readonly blockId: bigint | null;
  readonly matches: number;
}

export interface ChosenSegments {
  readonly segments: readonly Segment[];
  /** Matches of the chosen segments that come before the page. */
  readonly skip: number;
}

/** The segments, in the order given, that hold the matches from `offset` on, `limit` of them. */
export function chooseSegments(segments: readonly Segment[], offset: number, limit: number): ChosenSegments {
  const chosen: Segment[] = [];
  let before = 0;
  let skip = 0;
  for (const segment of segments) {
    if (before >= offset + limit) break;
    if (before + segment.matches > offset) {
      if (chosen.length === 0) skip = offset - before;
      chosen.push(segment);
    }
    before += segment.matches;
  }
  return { segments: chosen, skip };
}
