// The order in which the palette lists what was found: names that begin with the text, then words in them that do, then the
// rest. Pure.

/** 0 where the name begins with the text, 1 where a later word does, 2 otherwise. Case does not count. */
export function matchRank(name: string, text: string): number {
  const wanted = text.trim().toLocaleLowerCase();
  const found = name.toLocaleLowerCase();
  if (found.startsWith(wanted)) return 0;
  return found.split(/[\s\-:]+/).some((word) => word.startsWith(wanted)) ? 1 : 2;
}

/** The items by the rank of their names; equal ones keep their order. */
export function orderByMatch<Item>(items: readonly Item[], text: string, nameOf: (item: Item) => string): Item[] {
  return [...items].sort((a, b) => matchRank(nameOf(a), text) - matchRank(nameOf(b), text));
}
