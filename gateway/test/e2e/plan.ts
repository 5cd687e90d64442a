import type { Random } from '../support/random.ts'
import { expectations, type SmsExpectation } from './expectations.ts'
import { from } from './system.ts'
import {
  domesticHangul,
  domesticPlain,
  internationalFullest,
  internationalGsm7,
  internationalUcs2,
  type SmsText,
} from './texts.ts'

export interface PlannedMessage extends SmsText {
  readonly ref: string
  readonly channel: 'sms' | 'international'
  readonly from: string
  readonly to: string
  readonly expectation: SmsExpectation
  /** Report code. */
  readonly code: string
}

/**
 * Plans the messages of a run: every behaviour on both channels, with one and several parts and every
 * alphabet. References and recipients are unique, so that every observation belongs to one message.
 */
export function planMessages(count: number, random: Random): PlannedMessage[] {
  const weights = expectations.reduce((sum, { weight }) => sum + weight, 0)
  const planned: PlannedMessage[] = []
  for (const expectation of expectations) {
    const messages = Math.floor((count * expectation.weight) / weights)
    for (let index = 0; index < messages; index++)
      planned.push(planOne(planned.length, index, expectation, random))
  }
  // The last expectation is that of a number without special behaviour. Indexes from 5,000 are not used above.
  const ordinary = expectations.at(-1)!
  for (let index = 5_000; planned.length < count; index++) {
    planned.push(planOne(planned.length, index, ordinary, random))
  }
  return planned
}

function planOne(number: number, index: number, expectation: SmsExpectation, random: Random): PlannedMessage {
  const ref = `e2e-${number}`
  const channel = index % 2 === 0 ? 'international' : 'sms'
  const mark = `${number}`
  const content = channel === 'sms' ? domestic(random, mark) : international(random, mark, index, expectation)
  const prefix = channel === 'sms' ? '010' : '+1415'
  return {
    ...content,
    ref,
    channel,
    from,
    to: `${prefix}${String(index).padStart(4, '0')}${expectation.ending}`,
    expectation,
    code: content.parts === 1 ? (expectation.codeOfOnePart ?? expectation.code) : expectation.code,
  }
}

function domestic(random: Random, mark: string): SmsText {
  return random.below(2) === 0 ? domesticPlain(random, mark) : domesticHangul(random, mark)
}

function international(random: Random, mark: string, index: number, expectation: SmsExpectation): SmsText {
  const number = index / 2
  const alphabet = random.pick([internationalGsm7, internationalUcs2])
  if (expectation.unanswered === 'drops') return alphabet(random, mark, 1)
  // After one to five parts, the sixth variant has five completely full parts.
  const variant = (number % 6) + 1
  return variant === 6 ? internationalFullest(random, mark) : alphabet(random, mark, variant)
}
