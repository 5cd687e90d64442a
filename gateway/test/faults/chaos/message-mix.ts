import type { Random } from '../../support/random.ts'

/**
 * Routes of the installation. The simulated SMSC accepts text messages over `carrier`, or `backup` while a
 * fault removes that route. The sandbox accepts all others.
 */
export type RouteId = 'carrier' | 'backup' | 'sandbox'

export interface ExpectedReport {
  readonly route: RouteId
  readonly code: string
}

/**
 * Message kind of the load. The last four digits of the recipient select the behaviour of the simulated SMSC
 * and the sandbox. An ending that only the sandbox knows makes a rich message fail and the following text
 * message succeed.
 */
export interface MessageKind {
  readonly name: string
  /** Percentage of all messages. */
  readonly percentage: number
  /** Expected reports of the attempted steps, in order. */
  readonly reports: readonly ExpectedReport[]
  /** Last four digits of the recipient; default any from 1000. */
  readonly ending?: string
  request(ref: string, digits: string): { readonly path: string; readonly body: object }
}

const from = '0212345678'
const domestic = (digits: string): string => `010${digits}`
const international = (digits: string): string => `+49151${digits}`
const carrier = (code: string): ExpectedReport => ({ route: 'carrier', code })
const sandbox = (code: string): ExpectedReport => ({ route: 'sandbox', code })

const sms = (ref: string) => ({ from, text: ref })
const alimtalk = (ref: string) => ({
  senderKey: 'a'.repeat(40),
  msgType: 'AT',
  templateCode: 'chaos',
  text: ref,
})
const rcs = (ref: string) => ({
  from,
  formatId: 'SS000000',
  brandKey: 'BR.chaos',
  // The sandbox keeps receipts in memory: with the default of 24 hours, the run would wait for lost ones.
  expiryOption: '2',
  ttl: '25',
  content: { standalone: { text: ref } },
})

function single(name: string, percentage: number, code: string, ending?: string): MessageKind {
  return {
    name,
    percentage,
    reports: [carrier(code)],
    ...(ending === undefined ? {} : { ending }),
    request: (ref, digits) => ({ path: '/v1/send/sms', body: { ...sms(ref), to: domestic(digits), ref } }),
  }
}

/** Returns a kind with a long text, in which every part contains the whole ref followed by a space. */
function long(name: string, percentage: number, parts: number, code = '10000', ending?: string): MessageKind {
  const length = parts === 1 ? 100 : (parts - 1) * 153 + 100
  return {
    name,
    percentage,
    reports: [carrier(code)],
    ...(ending === undefined ? {} : { ending }),
    request: (ref, digits) => ({
      path: '/v1/send/international',
      body: {
        from,
        to: international(digits),
        ref,
        text: `${ref} `.repeat(Math.ceil(length / ref.length)).slice(0, length - 1) + '.',
      },
    }),
  }
}

function flow(
  name: string,
  percentage: number,
  ending: string,
  steps: (ref: string) => readonly object[],
  reports: readonly ExpectedReport[],
): MessageKind {
  return {
    name,
    percentage,
    ending,
    reports,
    request: (ref, digits) => ({
      path: '/v1/send/omni',
      body: { messageFlow: steps(ref), destinations: [{ to: domestic(digits) }], ref },
    }),
  }
}

export const messageKinds: readonly MessageKind[] = [
  single('sms', 44, '10000'),
  single('sms, failed', 4, '23001', '0002'),
  single('sms, receipt twice', 4, '10000', '0004'),
  single('sms, receipt before the response', 4, '10000', '0005'),
  single('sms, refused at submit', 3, '23003', '0008'),
  single('sms, never a receipt', 1, '22000', '0003'),
  long('international, 1 part', 4, 1),
  long('international, 2 parts', 4, 2),
  long('international, 3 parts', 3, 3),
  long('international, 4 parts', 3, 4),
  long('international, 5 parts', 3, 5),
  long('international, receipts in reverse', 2, 4, '10000', '0042'),
  long('international, part 2 fails', 1, 3, '23001', '0041'),
  flow('rcs, then sms', 8, '0023', (ref) => [{ rcs: rcs(ref) }, { sms: sms(ref) }], [
    sandbox('33101'),
    carrier('10000'),
  ]),
  flow(
    'rcs, then alimtalk, then sms',
    6,
    '0024',
    (ref) => [{ rcs: rcs(ref) }, { alimtalk: alimtalk(ref) }, { sms: sms(ref) }],
    [sandbox('33006'), sandbox('63020'), carrier('10000')],
  ),
  flow(
    'sms, then alimtalk, both fail',
    2,
    '0002',
    (ref) => [{ sms: sms(ref) }, { alimtalk: alimtalk(ref) }],
    [carrier('23001'), sandbox('63019')],
  ),
  flow('alimtalk', 4, '0001', (ref) => [{ alimtalk: alimtalk(ref) }, { sms: sms(ref) }], [sandbox('10000')]),
]

const deck = messageKinds.flatMap((kind) => Array<MessageKind>(kind.percentage).fill(kind))

export function chooseKind(random: Random): MessageKind {
  return random.pick(deck)
}

/** Returns the last eight digits of a recipient, unique within the kind for several thousand messages. */
export function toRecipientDigits(kind: MessageKind, index: number): string {
  const first = String(1000 + (Math.floor(index / 9000) % 9000))
  const last = String(1000 + (index % 9000))
  return kind.ending === undefined ? first + last : last + kind.ending
}

/** Returns the ref in a submitted text. */
export function findRef(text: string): string | undefined {
  return /(?:^| )(c\d+-[0-9.]+)(?: |$)/.exec(text)?.[1]
}
