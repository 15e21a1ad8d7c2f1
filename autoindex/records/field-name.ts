/** What a field may be called; `__proto__` is a name that parsed tables cannot hold. */
export function isFieldName(name: string): boolean {
  return name.trim() !== "" && name.length <= 200 && name !== "__proto__" && !/^\.|\.$|\.\./.test(name);
}
