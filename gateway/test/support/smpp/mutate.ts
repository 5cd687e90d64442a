/**
 * Octets that a faulty or hostile peer could send: valid PDUs truncated, extended, altered or joined, and random octets.
 * Driven by a seed, so that a failure can be reproduced.
 */
import { deliverBody } from './fixtures.ts'
import { pduOctets } from './peer.ts'

export type Random = (below: number) => number

/** mulberry32: a small, fast pseudorandom number generator. */
export function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const bind = {
  systemId: 'postern',
  password: 'secret08',
  systemType: '',
  interfaceVersion: 0x34,
  addrTon: 0,
  addrNpi: 0,
  addressRange: '',
}
const receiptText =
  'id:1 sub:001 dlvrd:001 submit date:2603041405 done date:2603041406 stat:DELIVRD err:000 text:Hi'
const receiptTlvs = [
  { tag: 0x001e, value: Buffer.from('1\0') },
  { tag: 0x0427, value: Buffer.of(2) },
  { tag: 0x1400, value: Buffer.alloc(40, 7) },
]
const receipt = { ...deliverBody({}, receiptText), tlvs: receiptTlvs }
const alert = { sourceTon: 1, sourceNpi: 1, source: '1', esmeTon: 1, esmeNpi: 1, esme: '2' }

export const validPdus: readonly Buffer[] = [
  pduOctets('deliver_sm', 0, 1, receipt),
  pduOctets('deliver_sm', 0, 2, deliverBody({ esmClass: 0x44 }, receiptText)),
  pduOctets('deliver_sm', 0, 3, deliverBody({ esmClass: 0 }, 'a reply')),
  pduOctets('data_sm', 0, 4, { ...receipt, tlvs: [{ tag: 0x0424, value: Buffer.from(receiptText) }] }),
  pduOctets('submit_sm_resp', 0, 5, { messageId: '6f1c2a3e-97f0-4c55-9a41-1d2e3f4a5b6c' }),
  pduOctets('submit_sm', 0, 6, deliverBody({}, 'hello')),
  pduOctets('bind_transceiver', 0, 7, bind),
  pduOctets('bind_transceiver_resp', 0, 8, {
    systemId: 'smsc',
    tlvs: [{ tag: 0x0210, value: Buffer.of(0x34) }],
  }),
  pduOctets('enquire_link', 0, 9, {}),
  pduOctets('enquire_link_resp', 0, 10, {}),
  pduOctets('alert_notification', 0, 11, alert),
  pduOctets('generic_nack', 3, 12, {}),
]

const submitted = deliverBody({ esmClass: 0, registeredDelivery: 1 }, 'hello')
const partOf = (header: string): Buffer =>
  pduOctets('submit_sm', 0, 23, {
    ...submitted,
    esmClass: 0x40,
    shortMessage: Buffer.concat([Buffer.from(header, 'hex'), Buffer.from('a part')]),
  })

/** PDUs that clients of the SMPP server send. */
export const clientPdus: readonly Buffer[] = [
  pduOctets('bind_transceiver', 0, 20, bind),
  pduOctets('bind_receiver', 0, 21, bind),
  pduOctets('submit_sm', 0, 22, submitted),
  partOf('0500030a0501'),
  partOf('060804000a0502'),
  pduOctets('submit_sm', 0, 24, {
    ...submitted,
    dataCoding: 8,
    validityPeriod: '000001000000000R',
    scheduleDeliveryTime: '261231235959000+',
    shortMessage: Buffer.from('c548b155d83dde00', 'hex'),
  }),
  pduOctets('submit_sm', 0, 25, {
    ...submitted,
    dataCoding: 14,
    shortMessage: Buffer.alloc(0),
    tlvs: [
      { tag: 0x0424, value: Buffer.from('b3aaa1c1'.repeat(40), 'hex') },
      { tag: 0x0204, value: Buffer.of(0, 7) },
    ],
  }),
  pduOctets('submit_sm', 0, 26, {
    ...submitted,
    tlvs: [
      { tag: 0x020c, value: Buffer.of(0, 9) },
      { tag: 0x020e, value: Buffer.of(3) },
      { tag: 0x020f, value: Buffer.of(2) },
    ],
  }),
  pduOctets('deliver_sm_resp', 0, 1, { messageId: '' }),
  pduOctets('enquire_link', 0, 27, {}),
  pduOctets('enquire_link_resp', 0, 1, {}),
  pduOctets('unbind_resp', 0, 1, {}),
  pduOctets('generic_nack', 3, 1, {}),
]

type Strategy = (pdu: Buffer, random: Random, others: readonly Buffer[]) => Buffer

/** One mutation of the body each, or none; command_length and header stay valid. */
const bodyStrategies: readonly Strategy[] = [
  (pdu, random) => withLength(pdu.subarray(0, 16 + random(pdu.length - 15))),
  (pdu, random) => withLength(Buffer.concat([pdu.subarray(0, 16), noise(random(300), random)])),
  (pdu, random) => (pdu.length > 16 ? flipped(pdu, 16, 1 + random(8), random) : pdu),
  // Octets inserted, octets removed, and two PDUs joined into one.
  (pdu, random) => {
    const at = 16 + random(pdu.length - 15)
    return withLength(Buffer.concat([pdu.subarray(0, at), noise(random(40), random), pdu.subarray(at)]))
  },
  (pdu, random) => {
    const at = 16 + random(pdu.length - 15)
    return withLength(Buffer.concat([pdu.subarray(0, at), pdu.subarray(at + random(20))]))
  },
  (pdu, random, others) => withLength(Buffer.concat([pdu, others[random(others.length)]!])),
  (pdu) => pdu,
]

/** One mutation each, or none. */
const strategies: readonly Strategy[] = [
  ...bodyStrategies,
  // Truncated, with the original command_length.
  (pdu, random) => pdu.subarray(0, random(pdu.length)),
  // command_length too small, too large, or any allowed one.
  (pdu, random) => withLength(pdu, random(16)),
  (pdu, random) => withLength(pdu, 16_385 + random(0xfffffff)),
  (pdu, random) => withLength(pdu, 16 + random(400)),
  // Random octets, alone or after a valid header.
  (_, random) => noise(random(200), random),
  (_, random) => withLength(Buffer.concat([noise(16, random), noise(random(300), random)])),
  // Flipped octets: anywhere, and in the command id.
  (pdu, random) => flipped(pdu, 0, 1 + random(8), random),
  (pdu, random) => withCommand(pdu, random(2) === 0 ? random(0x120) : 0x80000000 + random(0x120)),
]

/** Returns a deliver_sm or data_sm whose header is valid and whose body may be mutated. */
export function mutatedDelivery(random: Random): Buffer {
  const deliveries = validPdus.slice(0, 4)
  return bodyStrategies[random(bodyStrategies.length)]!(
    deliveries[random(deliveries.length)]!,
    random,
    validPdus,
  )
}

export function mutated(random: Random, pdus: readonly Buffer[] = validPdus): Buffer {
  const pdu = pdus[random(pdus.length)]!
  return strategies[random(strategies.length)]!(pdu, random, pdus)
}

function withLength(octets: Buffer, length = octets.length): Buffer {
  const copy = Buffer.from(octets)
  copy.writeUInt32BE(length)
  return copy
}

function withCommand(octets: Buffer, commandId: number): Buffer {
  const copy = Buffer.from(octets)
  copy.writeUInt32BE(commandId, 4)
  return copy
}

function noise(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)))
}

function flipped(octets: Buffer, from: number, times: number, random: Random): Buffer {
  const copy = Buffer.from(octets)
  for (let time = 0; time < times; time += 1) copy[from + random(copy.length - from)] = random(256)
  return copy
}
