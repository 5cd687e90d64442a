/** The route option `senders`, which replaces the sender of international messages by the country of the recipient. */
import { Type } from 'typebox'
import type { Step } from '../../channels/channel.ts'
import { classifySender, senderForms } from '../../channels/numbers.ts'

const maxCodeDigits = 7
/** Excludes 82 and its prefix 8: messages to Korea are domestic, and no route replaces their sender. */
const callingCode = /^(?!82|8$)[1-9]\d{0,6}$/

const sender = Type.Refine(
  Type.String({ maxLength: 20 }),
  (value) => classifySender(value) !== null,
  () => `must be ${senderForms}`,
)

export const senders = Type.Refine(
  Type.Record(Type.String(), sender, {
    description:
      'Senders that replace `from` of international messages, by the calling code of the recipient: { "1": "+12025550123", "44": "Acme" }. The longest matching code applies; without a match, `from` is sent unchanged. Accounts need not register these senders.',
    maxProperties: 1_000,
    default: {},
  }),
  (byCode) => Object.keys(byCode).every((code) => callingCode.test(code)),
  () => `must have calling codes of 1 to ${maxCodeDigits} digits as names, such as "44"; 82 is not allowed`,
)

/** Returns the job with the sender that a route with these options uses. */
export function withRouteSender<Job extends { readonly content: Step; readonly to: string }>(
  job: Job,
  options: Readonly<Record<string, unknown>>,
): Job {
  const { content, to } = job
  const byCode = options['senders'] as Readonly<Record<string, string>> | undefined
  if (byCode === undefined || content.channel !== 'international') return job
  for (let digits = maxCodeDigits; digits > 0; digits--) {
    const from = byCode[to.slice(1, 1 + digits)]
    if (from !== undefined) return { ...job, content: { ...content, from } }
  }
  return job
}
