/** Every text of a step is visited, whatever was looked at before it and however it is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from './channel.ts'
import { someText } from './step-texts.ts'

const rich = (...texts: string[]): Step =>
  ({ channel: 'friendtalk', content: { msg: texts[0], buttons: texts.slice(1) } }) as unknown as Step

test('steps that are asked in turn each have their own texts', () => {
  const steps = Array.from({ length: 7 }, (_, nth) => rich(`text ${nth}`, `button ${nth}`))
  for (let round = 0; round < 3; round++)
    for (const [nth, step] of steps.entries()) {
      const found: string[] = []
      someText(step, (text) => found.push(text) === 0)
      assert.deepEqual(found, [`text ${nth}`, `button ${nth}`])
    }
})

test('without the needle no usual text is visited; an unusual one always is', () => {
  const isVisited = (step: Step): boolean => someText(step, () => true, '광')
  assert.equal(isVisited(rich('hello', '안녕')), false)
  assert.equal(isVisited(rich('hello', '광고')), true)
  // U+3297 is a circled character of another script, U+200B has no width.
  assert.equal(isVisited(rich('hello', '\u3297')), true)
  assert.equal(isVisited(rich('hello\u200b', 'world')), true)
  assert.equal(isVisited({ channel: 'sms', from: '1', text: 'hello' } as unknown as Step), true)
})
