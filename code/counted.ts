/** A number with what it counts: `1 file`, `2 files`; `many` where the plural is no `s`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
