import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportCodes } from '../src/channels/report-codes.ts'
import { resultCodes } from '../src/contract/result-codes.ts'
import { codePages, reportCodeTable, resultCodeTable } from './code-pages.ts'

test('every code has a cause and an action in both lists, and a page of the site', () => {
  const pages = codePages()
  for (const [language, folder] of [
    ['en', 'reference/codes'],
    ['ko', 'ko/reference/codes'],
  ] as const) {
    const rows = new Map(
      `${resultCodeTable(language)}\n${reportCodeTable(language)}`
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .map((cells) => [cells[1], cells]),
    )
    for (const code of [...Object.keys(resultCodes), ...reportCodes]) {
      const [cause, action] = rows.get(code)!.slice(-3)
      assert.match(`${cause!} ${action!}`, /\S\. \S.*\.$/, `${language} ${code}`)
      assert.ok(pages.has(`${folder}/${code.toLowerCase()}`), `${language} ${code}`)
    }
  }
})

test('A920 states in Korean that the send may have been accepted', () => {
  assert.match(codePages().get('ko/reference/codes/a920')!, /접수되었을 수 있/)
})
