/** For any body: a dry run never fails, and its first problem is the error of the send. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultSettings, type Account } from '../../identity/accounts/account.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { requireValid } from '../../channels/issues.ts'
import { Problem } from '../../contract/problem.ts'
import { createDryRun } from './dry-run.ts'
import { draftOmni, readOmni } from './omni.ts'
import { normalizeSdkBody } from './sdk-compat.ts'
import { readSimple } from './send.ts'

const account: Account = {
  id: 1,
  clientId: 'c',
  name: 'n',
  blocked: false,
  tokenEpoch: 1,
  ...defaultSettings,
}
const dryRun = createDryRun({
  checkSteps: () => Promise.resolve(),
  forms: { find: () => Promise.reject(new Problem('A250', 'no form')), forget: () => undefined },
  hasRoute: () => null,
  stepTtlSeconds: 60,
  previewDraft: () => Promise.resolve([]),
})

const to = '01012345678'
const from = '0234567890'
const button = { type: 'WL', name: 'Go', urlMobile: 'https://a.example' }
const image = { imgUrl: 'https://a.example/1.jpg' }
const attachment = { button: [button], image }
const card = { header: 'h', message: 'm', attachment }
const entries = {
  sms: { from, text: 'hello #{name}', ttl: '60', originCID: '123456789' },
  mms: { from, text: 'hello', title: 't', fileKey: ['a'] },
  rcs: {
    from,
    formatId: 'CMwShS0200',
    brandKey: 'k',
    header: '1',
    footer: '080',
    content: {
      carousel: [
        {
          title: 't',
          text: 'a',
          media: 'maapfile://BR.x.1',
          button: [{ type: 'DIAL', name: 'c', phoneNumber: '112' }],
        },
        { title: '#{name}', text: 'b' },
      ],
    },
  },
  alimtalk: {
    senderKey: 'k',
    msgType: 'AT',
    templateCode: 't',
    text: 'hello',
    attachment: {
      button: [button],
      item: { list: [{ title: 'a' }, { title: 'b' }], summary: { title: 's', description: '1,000원' } },
    },
    supplement: { quickReply: [button] },
  },
  friendtalk: { senderKey: 'k', msgType: 'FC', carousel: { list: [card, card], tail: { urlMobile: 'x' } } },
  brandmessage: {
    senderKey: 'k',
    sendType: 'free',
    msgType: 'FM',
    attachment: {
      ...attachment,
      commerce: { title: 't', regularPrice: 100, discountPrice: 90, discountRate: 10 },
      coupon: { title: '10% 할인 쿠폰', description: 'd' },
    },
  },
}
const fallback = { type: 'SMS', from, text: 'hello' }
const simple = {
  sms: { from, to, text: 'hello', ref: 'r' },
  international: { from, to: '+4915112345678', text: 'hello' },
  mms: { ...entries.mms, to },
  rcs: { ...entries.rcs, to, fallback },
  alimtalk: {
    senderKey: 'k',
    msgType: 'AT',
    templateCode: 't',
    text: 'hello',
    to,
    button: [button],
    fallback,
  },
  friendtalk: { senderKey: 'k', msgType: 'FI', text: 'x', to, imgUrl: 'https://a.example', fallback },
  brandmessage: { senderKey: 'k', sendType: 'basic', targeting: 'M', msgType: 'FT', templateCode: 't', to },
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', ' ', 7, true, [], {}, '#{x}', 'XX', 'FL', 'FA', 'SS000000'),
  fc.constantFrom<unknown>(
    '가'.repeat(60),
    'a'.repeat(2_100),
    '😀\u0000',
    [1, 'a'],
    { type: 'URL' },
    'AI',
    '0',
  ),
)
const change = fc.record({ turns: fc.array(fc.nat(30), { maxLength: 7 }), name: fc.string(), value: odd })

/** Descends by the turns and sets the value there, replacing a value or adding a field. */
function mutate(
  body: unknown,
  { turns, name, value }: { turns: number[]; name: string; value: unknown },
): void {
  let at = body as Record<string, unknown>
  for (const [depth, turn] of turns.entries()) {
    const keys = Object.keys(at)
    const key = keys.length === 0 || turn === 30 ? name : keys[turn % keys.length]!
    const next = at[key]
    if (depth === turns.length - 1 || typeof next !== 'object' || next === null) {
      if (key !== '__proto__') at[key] = structuredClone(value)
      return
    }
    at = next as Record<string, unknown>
  }
}

function firstOf(run: () => unknown): { code: string; result: string } {
  try {
    run()
    return { code: 'A000', result: 'Success' }
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, result: error.message }
    throw error
  }
}

const wrongBody = <T extends object>(bodies: Readonly<Record<string, T>>) =>
  fc
    .tuple(fc.constantFrom(...Object.keys(bodies)), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([name, changes]) => {
      const body = structuredClone(bodies[name]!)
      for (const mutation of changes) mutate(body, mutation)
      // Use the form that arrives: JSON has no undefined and no holes in arrays.
      return { name, body: JSON.parse(JSON.stringify(body)) as T }
    })

test('a dry run agrees with simple sends', async () => {
  await fc.assert(
    fc.asyncProperty(wrongBody<object>(simple), async ({ name, body }) => {
      const channel = name as ChannelName
      const candidate = normalizeSdkBody(name, body)
      const sent = firstOf(() => requireValid((issues) => readSimple(channel, candidate, {}, issues)))
      const { code, result, data } = await dryRun.simple(account, channel, candidate)
      assert.deepEqual({ code, result }, { code: sent.code, result: cut(sent.result) })
      assert.equal(data.destinations.flatMap(({ problems }) => problems).length > 0, code !== 'A000')
    }),
    { numRuns: 500 },
  )
})

test('a dry run agrees with omni sends', async () => {
  const flow = Object.entries(entries).map(([name, entry]) => ({ [name]: entry }))
  const omni = { destinations: [{ to, replaceWords: { name: 'Kim' } }], messageFlow: flow, ref: 'r' }
  await fc.assert(
    fc.asyncProperty(wrongBody<object>({ omni }), async ({ body }) => {
      const candidate = normalizeSdkBody('omni', body)
      const sent = firstOf(() => {
        for (const destination of draftOmni(requireValid((issues) => readOmni(candidate, issues))))
          if ('problem' in destination) throw destination.problem
      })
      // Only the dry run looks up the form, and finds none here, so such bodies are skipped.
      if ('messageForm' in (candidate as object)) return
      const { code, result } = await dryRun.omni(account, candidate)
      assert.deepEqual({ code, result }, { code: sent.code, result: cut(sent.result) })
    }),
    { numRuns: 500 },
  )
})

const cut = (text: string): string => (text.length <= 300 ? text : `${text.slice(0, 300)}…`)
