import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFields } from '../shared/json-body.ts'
import { seededRandom } from '../shared/unique-numbers.ts'
import { mutate, rounds } from '../testing/mutate.ts'
import {
  assertionClaims,
  carousel,
  publicKey,
  rbmCard,
  signAssertion,
  textMessage,
} from '../testing/rbm-client.ts'
import { findAssertionFault } from './assertion.ts'
import { firstSuggestion } from './events.ts'
import { MAX_MESSAGE_BYTES, messageRefusal } from './validate.ts'

const messages = rounds(3000)
const assertions = rounds(1000)
const limits = { maxCardSuggestions: 4, isKnownFile: (): boolean => true }

for (const [name, message] of [
  ['text', textMessage()],
  ['carousel', carousel('MEDIUM', [rbmCard(), rbmCard()])],
] as const) {
  test(`${name}: accepts or refuses ${messages} mutated messages with a reason`, () => {
    const sample = Buffer.from(JSON.stringify(message))
    const random = seededRandom(9)
    let accepted = 0
    for (let round = 0; round < messages; round++) {
      const fields = parseFields(mutate(sample, random), MAX_MESSAGE_BYTES)
      if (fields === undefined || messageRefusal(fields, limits, Date.now()) !== undefined) continue
      firstSuggestion(fields)
      accepted++
    }
    assert.ok(accepted > messages / 60 && accepted < messages * 0.97, `${accepted} were accepted`)
  })
}

test(`refuses ${assertions} mutated assertions unless their signed part is unchanged`, () => {
  const assertion = signAssertion(assertionClaims())
  const random = seededRandom(10)
  const expected = { clientEmail: undefined, audience: undefined, publicKey }
  for (let round = 0; round < assertions; round++) {
    const changed = mutate(Buffer.from(assertion), random).toString('latin1')
    const refusal = findAssertionFault(changed, expected, Date.now())
    const signed = (text: string): string => text.slice(0, text.lastIndexOf('.'))
    if (signed(changed) !== signed(assertion)) assert.ok(refusal !== undefined, changed)
  }
})
