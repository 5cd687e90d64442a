/**
 * The messages of the rolling upgrade: every lane, and a flow whose first step fails, so that jobs of every
 * kind pass between processes of both releases. Each ends with one text message that is delivered.
 */
import { oneTimeCode, ordinaryRecipient, plainText, sender } from '../steady-load.ts'

type Request = (to: string, ref: string) => { readonly path: string; readonly body: object }

const advertisement: Request = (to, ref) => ({
  path: '/v1/send/sms',
  body: { from: sender, to, text: `(광고) ${ref} (무료거부) 0801234567`, ref },
})

const rcsThenText: Request = (to, ref) => ({
  path: '/v1/send/omni',
  body: {
    destinations: [{ to }],
    messageFlow: [
      {
        rcs: {
          from: sender,
          formatId: 'SS000000',
          brandKey: 'BR.upgrade',
          expiryOption: '2',
          ttl: '60',
          content: { standalone: { text: ref } },
        },
      },
      { sms: { from: sender, text: ref } },
    ],
    ref,
  },
})

const kinds: readonly Request[] = [plainText, oneTimeCode, advertisement, rcsThenText]

const kindOf = (index: number): Request => kinds[index % kinds.length]!

/** The recipients of flows end in 0023: the sandbox rejects their RCS message, and the simulated SMSC delivers the text. */
export function createUpgradeRecipient(index: number): string {
  if (kindOf(index) !== rcsThenText) return ordinaryRecipient('010', index)
  return `012${String(Math.floor(index / kinds.length)).padStart(5, '0')}0023`
}

/** The refs of a steady load end with the index of the message. */
export const createUpgradeRequest: Request = (to, ref) => kindOf(Number(ref.slice(1)))(to, ref)
