/** What a field may be called; `__proto__` is a name that parsed tables cannot hold. */
export function isFieldName(name: string): boolean {
  return name.trim() !== "" && name.length <= 200 && name !== "__proto__" && !/^\.|\.$|\.\./.test(name);
}

/** Names of columns, none twice: a second `name` is called `name_2`. The notes say of which that had to be done. */
export function uniqueNames(given: readonly string[]): { names: string[]; notes: string[] } {
  const all = new Set(given);
  const taken = new Set<string>();
  const renamed: string[] = [];
  const names = given.map((base) => {
    let name = base;
    // A name that was made must not take that of a later column.
    for (let again = 2; taken.has(name) || (name !== base && all.has(name)); again++) name = `${base}_${again}`;
    taken.add(name);
    if (name !== base) renamed.push(`${base} is ${name}`);
    return name;
  });
  const more = renamed.length > MOST_SAID ? ` and ${renamed.length - MOST_SAID} more` : "";
  const said = `several columns have one name: the later ${renamed.slice(0, MOST_SAID).join(", ")}${more}`;
  return { names, notes: renamed.length > 0 ? [said] : [] };
}

/** Renamed columns that are told one by one. */
const MOST_SAID = 5;
