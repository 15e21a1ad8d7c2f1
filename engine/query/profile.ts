/** A record of how each part of a search was run, when it was asked for. */
export interface Profile {
  /** Notes something under a name; several notes of one name become a list. */
  note(name: string, value: unknown): void;
  readonly record: Record<string, unknown> | undefined;
}

/** A profile that keeps notes, or drops them when `wanted` is false. */
export function createProfile(wanted: boolean): Profile {
  if (!wanted) return { note: () => {}, record: undefined };
  const record: Record<string, unknown[]> = {};
  const note = (name: string, value: unknown) => {
    record[name] ??= [];
    record[name].push(value);
  };
  return { note, record };
}
