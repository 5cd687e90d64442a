/** Generates cases: a send and the bytes of its body: valid, mutated, with changed bytes, or any JSON value. */
import fc from 'fast-check'
import { alimtalk, brandmessage, friendtalk } from './kakao.ts'
import { mutateBody, mutation } from './mutate.ts'
import { omni } from './omni.ts'
import { international, mms, sms } from './plain.ts'
import { rcs } from './rcs.ts'

export const sends = {
  sms,
  mms,
  international,
  rcs,
  alimtalk,
  friendtalk,
  brandmessage,
  omni,
} as const satisfies Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>>

export type SendName = keyof typeof sends
export const sendNames = Object.keys(sends) as readonly SendName[]

export interface BodyCase {
  readonly send: SendName
  readonly kind: 'valid' | 'mutated' | 'broken' | 'random'
  readonly bytes: Buffer
}

const deepMarkPattern = /"@deep (list|object) (\d+)@"/g

/** Serializes to JSON; replaces a marker for deep nesting, which JSON.stringify could not write. */
function textOf(value: unknown): string {
  const text = JSON.stringify(value)
  return text.replaceAll(deepMarkPattern, (_mark, kind: string, count: string) => {
    const times = Number(count)
    return kind === 'list'
      ? '['.repeat(times) + ']'.repeat(times)
      : '{"a":'.repeat(times) + '1' + '}'.repeat(times)
  })
}

interface ByteChange {
  readonly kind: 'set' | 'remove' | 'insert' | 'cut' | 'repeat'
  readonly at: number
  readonly byte: number
  readonly count: number
}

const byteChange: fc.Arbitrary<ByteChange> = fc.record({
  kind: fc.constantFrom('set', 'remove', 'insert', 'cut', 'repeat'),
  at: fc.nat(100_000),
  byte: fc.nat(255),
  count: fc.integer({ min: 1, max: 8 }),
})

function changeBytes(bytes: Buffer, { kind, at, byte, count }: ByteChange): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length
  const before = bytes.subarray(0, place)
  switch (kind) {
    case 'set':
      return Buffer.concat([before, Buffer.of(byte), bytes.subarray(place + 1)])
    case 'remove':
      return Buffer.concat([before, bytes.subarray(place + count)])
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(count, byte), bytes.subarray(place)])
    case 'cut':
      return before
    case 'repeat':
      return Buffer.concat([bytes.subarray(0, place + count), bytes.subarray(place)])
  }
}

function casesOf(send: SendName): fc.Arbitrary<BodyCase> {
  const valid = sends[send] as fc.Arbitrary<Record<string, unknown>>
  const mutated = fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([body, changes]) => textOf(changes.reduce<unknown>(mutateBody, body)))
  const broken = fc
    .tuple(valid, fc.array(byteChange, { minLength: 1, maxLength: 4 }))
    .map(([body, changes]) => changes.reduce(changeBytes, Buffer.from(textOf(body))))
  const toCase = (kind: BodyCase['kind']) => (text: string | Buffer) => ({
    send,
    kind,
    bytes: Buffer.from(text as string),
  })
  return fc.oneof(
    { weight: 38, arbitrary: valid.map(textOf).map(toCase('valid')) },
    { weight: 50, arbitrary: mutated.map(toCase('mutated')) },
    { weight: 10, arbitrary: broken.map(toCase('broken')) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }).map(textOf).map(toCase('random')) },
  )
}

export const bodyCase: fc.Arbitrary<BodyCase> = fc.oneof(...sendNames.map(casesOf))
