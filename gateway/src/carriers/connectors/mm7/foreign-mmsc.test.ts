/**
 * Responses, faults, reports and replies that SAAJ writes are read in every charset and form, and SAAJ reads our responses.
 * `npm run engines -- install --tests` installs it; without it the tests are skipped.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { thirdPartyParsers, skipWithout } from '../../../../test/support/carriers/third-party-parsers.ts'
import { mm7Options } from '../../../../test/support/carriers/mm7.ts'
import { createInbound } from '../registry.ts'
import { toMm7Outcome } from './outcome.ts'

interface Written {
  readonly name: 'accepted' | 'refused' | 'fault' | 'report' | 'reply'
  /** Charset, with an XML declaration or not, with an attachment or not. */
  readonly form: string
  readonly type: string
  /** Base64. */
  readonly body: string
}

const options = mm7Options({ dialect: '3gpp' })
const sources = join(import.meta.dirname, '../../../../test/foreign/mm7')

function java(program: string, ...args: readonly string[]): unknown {
  const command = ['-cp', join(thirdPartyParsers.saaj, '*'), join(sources, program), ...args]
  return JSON.parse(execFileSync('java', command, { encoding: 'utf8', timeout: 60_000 }))
}

const outcomes = {
  accepted: { kind: 'accepted', carrierId: 'mms-1@mmsc' },
  refused: { kind: 'refused', cause: 'attachment', code: '2004', text: '내용 거부' },
  fault: { kind: 'throttled', code: '4006', retryAfterMs: options.throttleRetryMs },
}
const receipt = {
  carrierId: 'mms-1@mmsc',
  result: 'delivered',
  cause: 'delivered',
  code: 'Retrieved',
  recipient: '+821012345678',
  sender: '0215881234',
  at: new Date('2026-11-15T04:04:27Z'),
}
const replyIn = (form: string) => ({
  from: '01012345678',
  to: [{ kind: 'number', value: '0215881234' }],
  text: form.includes('attached') ? '첨부' : '수신거부',
})

test(
  'messages of SAAJ as the MMSC are read, and answered in a way that it reads',
  { skip: skipWithout('saaj') },
  () => {
    const written = java('WriteMm7.java') as readonly Written[]
    assert.equal(written.length, 40)
    const directory = mkdtempSync(join(tmpdir(), 'mm7-'))
    const answers: string[] = []
    for (const { name, form, type, body } of written) {
      const octets = Buffer.from(body, 'base64')
      const caseName = `${name}, ${form}`
      if (name === 'report' || name === 'reply') {
        const result = createInbound('mm7', options)!({
          method: 'POST',
          path: '/token-of-the-reports',
          query: new URLSearchParams(),
          headers: { 'content-type': type },
          body: octets,
        })
        assert.deepEqual(
          [result.receipts, result.replies ?? []],
          name === 'report' ? [[receipt], []] : [[], [replyIn(form)]],
          caseName,
        )
        const path = join(directory, `${answers.length}.http`)
        writeFileSync(path, `Content-Type: ${result.response.contentType}\r\n\r\n${result.response.body}`)
        answers.push(path)
      } else {
        const headers = { 'content-type': type }
        const response = {
          kind: 'answer',
          status: name === 'fault' ? 500 : 200,
          headers,
          body: octets,
          retryAfterMs: null,
        } as const
        assert.deepEqual(toMm7Outcome(options, response), outcomes[name], caseName)
      }
    }
    const read = java('ReadMm7.java', ...answers) as readonly { values: Readonly<Record<string, string>> }[]
    assert.equal(read.length, answers.length)
    for (const { values } of read)
      assert.deepEqual([values['TransactionID'], values['StatusCode']], ['transaction-1', '1000'])
  },
)
