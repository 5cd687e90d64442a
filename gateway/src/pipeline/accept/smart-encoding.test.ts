import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const api = await createTestServer({ database, broker, topology })
const [account, strict] = [await api.account(), await api.account({ smartEncoding: false })]

const from = '0234567890'
const to = '01012345678'
const given = 'Open 9—18 © Shop'
const sent = 'Open 9-18 (c) Shop'
const fallback = { type: 'SMS', from, text: given }
const rcs = { from, formatId: 'SS000000', brandKey: 'k', content: { standalone: { text: given } } }
const alimtalk = { senderKey: 'k', msgType: 'AT', templateCode: 't', text: given }

/** Each with the texts of its steps as they are sent. */
const sends: readonly (readonly [path: string, body: object, texts: readonly string[], refused: string])[] = [
  ['sms', { from, to, text: given }, [sent], 'A303'],
  ['mms', { from, to, text: given, title: given }, [sent], 'A303'],
  ['international', { from, to: '+821012345678', text: given }, [sent], 'A303'],
  ['rcs', { ...rcs, to, fallback }, [given, sent], 'A314'],
  ['alimtalk', { ...alimtalk, to, fallback: { ...fallback, type: 'MMS' } }, [given, sent], 'A314'],
  [
    'omni',
    {
      destinations: [{ to, replaceWords: { hours: '9—18' } }],
      messageFlow: [{ alimtalk }, { sms: { from, text: 'Open #{hours}' } }],
    },
    [given, 'Open 9-18'],
    'A303',
  ],
]

interface DryRunData {
  readonly destinations: readonly {
    readonly code: string
    readonly steps: readonly {
      readonly text: string
      readonly msgType: string
      readonly bytes: number | null
    }[]
  }[]
}

for (const [path, body, texts, refused] of sends) {
  test(`${path}: characters that CP949 lacks are sent as their equivalents, and a dry run shows it`, async () => {
    const dry = await api.call(account, 'POST', `/v1/send/${path}?dryRun=true`, body)
    const [destination] = (dry.body.data as DryRunData).destinations
    assert.equal(destination!.code, 'A000', dry.body.result)
    assert.deepEqual(
      destination!.steps.map(({ text }) => text),
      texts,
    )
    assert.equal(destination!.steps.at(-1)!.bytes, texts.at(-1)!.length)
    assert.equal((await api.call(account, 'POST', `/v1/send/${path}`, body)).body.code, 'A000')
    const [job] = (await testBroker.drain(topology.accepted.normal, 1)) as AcceptedJob[]
    const step = job!.steps.at(-1)!
    const content = ('content' in step ? step.content : step) as { text: string; title?: string }
    assert.equal(content.text, texts.at(-1))
    if (path === 'mms') assert.equal(content.title, sent)
  })

  test(`${path}: they are refused if the account has no smart encoding`, async () => {
    const { body: response } = await api.call(strict, 'POST', `/v1/send/${path}?dryRun=true`, body)
    assert.equal(response.code, refused, response.result)
  })
}

test('a fallback of type SMS stays an SMS if its text fits one with its equivalents', async () => {
  for (const [text, msgType] of [
    [`${'a'.repeat(89)}—`, 'SM'],
    [`${'a'.repeat(90)}—`, 'LM'],
  ] as const) {
    const body = { ...rcs, to, fallback: { ...fallback, text } }
    const dry = await api.call(account, 'POST', '/v1/send/rcs?dryRun=true', body)
    assert.equal((dry.body.data as DryRunData).destinations[0]!.steps[1]!.msgType, msgType)
  }
})
