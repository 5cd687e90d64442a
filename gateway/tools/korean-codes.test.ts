/** The pages of codes: in Korean they name only codes that exist and say what the API says; on the site each code has one. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { reportCodes } from '../src/channels/report-codes.ts'
import { resultCodes } from '../src/contract/result-codes.ts'
import { codePages } from './code-pages.ts'

const rows = readFileSync(join(import.meta.dirname, '../../docs/ko/codes.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('the page of codes in Korean has the status of every result code it lists', () => {
  const results = rows.filter(([, code]) => /^A\d{3}$/.test(code ?? ''))
  assert.ok(results.length > 40)
  const statusOf = new Map<string, string>(
    Object.values(resultCodes).map(({ code, status }) => [code, String(status)]),
  )
  assert.deepEqual(
    results.filter(([, code, status]) => statusOf.get(code!) !== status),
    [],
  )
})

test('every code has a page of the site', () => {
  const pages = codePages()
  for (const code of [...Object.keys(resultCodes), ...reportCodes])
    assert.ok(pages.has(`codes/${code.toLowerCase()}`), code)
  assert.match(pages.get('codes/a327')!, /^---\ntitle: "A327 Sender not registered"/)
  assert.match(pages.get('ko/codes/10000')!, /title: "10000 전달 완료"/)
})
