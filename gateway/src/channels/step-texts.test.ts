import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from './channel.ts'
import { someStepText } from './step-texts.ts'

const rich = (...texts: string[]): Step =>
  ({ channel: 'friendtalk', content: { msg: texts[0], buttons: texts.slice(1) } }) as unknown as Step

test('steps that are checked in turn each have their own texts', () => {
  // More steps than the cache holds.
  const steps = Array.from({ length: 7 }, (_, nth) => rich(`text ${nth}`, `button ${nth}`))
  for (let round = 0; round < 3; round++)
    for (const [nth, step] of steps.entries()) {
      const stepTexts: string[] = []
      someStepText(step, (text) => {
        stepTexts.push(text)
        return false
      })
      assert.deepEqual(stepTexts, [`text ${nth}`, `button ${nth}`])
    }
})

test('plain texts without the needle are skipped; other texts are always visited', () => {
  const isVisited = (step: Step): boolean => someStepText(step, () => true, '광')
  assert.equal(isVisited(rich('hello', '안녕')), false)
  assert.equal(isVisited(rich('hello', '광고')), true)
  // U+3297 is a circled character of another script, U+200B has no width.
  assert.equal(isVisited(rich('hello', '\u3297')), true)
  assert.equal(isVisited(rich('hello\u200b', 'world')), true)
  assert.equal(isVisited({ channel: 'sms', from: '1', text: 'hello' } as unknown as Step), true)
})
