/**
 * Fills in generated tables. In git, a page has a sentence for readers of the repository between
 * `<!-- generated: NAME -->` and `<!-- /generated -->`; on the site the table replaces it.
 */
import { reportCodeTable, resultCodeTable } from '../../../gateway/tools/code-pages.ts'
import { connectorReference } from '../../../gateway/tools/connector-pages.ts'
import { toTable } from '../../../gateway/tools/markdown.ts'
import { rightTable, tableRightTable } from '../../../gateway/tools/operator-tables.ts'
import { ruleTable } from '../../../gateway/tools/rule-table.ts'
import { settingTable } from '../../../gateway/tools/settings.ts'
import { smartEncodingTable } from '../../../gateway/tools/smart-encoding-table.ts'
import { rows } from '../../../gateway/test/contract/conformance/rows.ts'
import { carriers } from '../../../simulator/src/carriers.ts'

/** Markdown tables by name. */
export type Tables = ReadonlyMap<string, string>

export function createTables(): Tables {
  const connectors = [...connectorReference()].map(([name, text]): [string, string] => [
    `connector ${name}`,
    text,
  ])
  const simulated = carriers.map(({ name, behaviours }): [string, string] => [
    `behaviours of ${name}`,
    toTable([
      ['Ending', 'Behaviour'],
      ...behaviours.map(({ ending, summary }) => [`\`${ending}\``, summary]),
    ]),
  ])
  return new Map([
    ['result codes', resultCodeTable('en')],
    ['report codes', reportCodeTable('en')],
    ['Korean result codes', resultCodeTable('ko')],
    ['Korean report codes', reportCodeTable('ko')],
    ['settings', settingTable()],
    ['rules', ruleTable()],
    ['smart encoding', smartEncodingTable()],
    ['rights', rightTable()],
    ['rights on tables', tableRightTable()],
    ['conformance', conformanceTables()],
    ...connectors,
    ...simulated,
  ])
}

/** Replaces each marked part of a page with its table. */
export function fillTables(file: string, text: string, tables: Tables): string {
  const filled = text.replaceAll(
    /^<!-- generated: (.+) -->$[^]*?^<!-- \/generated -->$/gm,
    (_part, name: string) => {
      const table = tables.get(name)
      if (table === undefined) throw new Error(`${file}: generated table '${name}' not found`)
      return table
    },
  )
  if (/^<!-- \/?generated/m.test(filled))
    throw new Error(`${file}: a mark of a generated table is not closed`)
  return filled
}

function conformanceTables(): string {
  return [...Map.groupBy(rows, ({ section }) => section)]
    .map(([section, entries]) => {
      const cells = entries.map(({ row, id, proof }, index) => [
        row === entries[index - 1]?.row ? '' : escape(row),
        `\`${id}\`: ${escape(proof)}`,
      ])
      return `### ${section}\n\n${toTable([['Row', 'Test'], ...cells])}`
    })
    .join('\n\n')
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/[#{}<>*_]/g, (character) => `\\${character}`)
}
