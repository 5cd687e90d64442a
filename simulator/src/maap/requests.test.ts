import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFields } from '../shared/json-body.ts'
import { seededRandom } from '../shared/unique-numbers.ts'
import { carrierMessage, fileFields, fileForm, relayMessage } from '../testing/maap-client.ts'
import { mutate, rounds } from '../testing/mutate.ts'
import { maapCodes } from './codes.ts'
import { contentRefusal } from './content.ts'
import { MaapFiles } from './files.ts'
import { readCarrierRequest, readRelayRequest } from './requests.ts'
import { defaults } from './settings.ts'

const requests = rounds(4000)
const forms = rounds(2000)
const context = { templateId: undefined, acceptsMedia: (): boolean => true }

for (const [name, read, message] of [
  ['carrier', readCarrierRequest, carrierMessage({}, 'CMwMhM0300')],
  ['relay', readRelayRequest, relayMessage({}, {}, 'CMwMhM0300')],
] as const) {
  test(`${name}: accepts or refuses ${requests} mutated requests with a code`, () => {
    const sample = Buffer.from(JSON.stringify(message))
    const random = seededRandom(7)
    const outcomes = new Map<string, number>()
    for (let round = 0; round < requests; round++) {
      const body = mutate(sample, random)
      const fields = parseFields(body, 131_072)
      const request = fields === undefined ? '51005' : read(fields, body.length, defaults)
      const refusal = typeof request === 'string' ? request : contentRefusal(request, context)
      assert.ok(refusal === undefined || Object.hasOwn(maapCodes, refusal), refusal)
      const outcome = refusal ?? 'accepted'
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    for (const outcome of ['accepted', '51005']) {
      assert.ok((outcomes.get(outcome) ?? 0) > requests / 80, `${outcome}: ${outcomes.get(outcome)}`)
    }
    assert.ok(outcomes.size > 5, [...outcomes.keys()].join())
  })
}

test(`registers or refuses ${forms} mutated forms with a code`, () => {
  const random = seededRandom(8)
  const files = new MaapFiles({ ...defaults, maxFileBytes: 1000 })
  const form = fileForm(fileFields)
  let registered = 0
  for (let round = 0; round < forms; round++) {
    const outcome = files.register('multipart/form-data; boundary=form', mutate(form, random))
    if (typeof outcome !== 'string') registered++
    else assert.ok(Object.hasOwn(maapCodes, outcome), outcome)
  }
  assert.ok(registered > forms / 40 && registered < forms * 0.95, `${registered} were registered`)
})
