/** The rows `| \`0001\` | what happens |` of a page, for tests that compare them with a table of behaviours. */
import { readFileSync } from 'node:fs'
import type { EndingRow } from '../shared/endings.ts'

export function documentedEndings(page: string): EndingRow[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^\| +`(\d{4})` +\| +(.+?) +\|$/gm)].map(([, ending, summary]) => ({
    ending: ending!,
    summary: summary!,
  }))
}
