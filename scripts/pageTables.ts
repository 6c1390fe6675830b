// Tables that are drawn from results stand in a page between `<!-- name -->` and `<!-- /name -->`.

/** The page with its tables replaced. Throws where it has no place for one; `file` names it then. */
export function pageWithTables(file: string, page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [first, last] = [text.indexOf(begin), text.indexOf(end)];
    if (first < 0 || last < first) throw new Error(`${file} has no place for the table ${name}`);
    return `${text.slice(0, first + begin.length)}\n${table}\n${text.slice(last)}`;
  }, page);
}
