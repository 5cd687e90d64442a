/** POST /v1/send/<channel>: one message to one recipient. */
import type { ChannelName } from '../../../channels/channel.ts'
import { sendCodes } from '../codes.ts'
import { sendExamples } from '../examples/sends.ts'
import type { Link, Operation } from '../operation.ts'
import { dryRun, idempotencyKey, sendAt } from '../parameters.ts'
import { ref } from '../ref.ts'
import { formatLimits } from '../format-limits.ts'
import { bodyName } from '../schemas.ts'

interface Words {
  readonly summary: string
  readonly description: string
}

const bytes =
  'Bytes are those of CP949: one for ASCII, two for Hangul. A character that CP949 lacks is refused.'

const words: Readonly<Record<ChannelName, Words>> = {
  sms: { summary: 'Send an SMS', description: `A text of at most 90 bytes. ${bytes}` },
  mms: {
    summary: 'Send an LMS or MMS',
    description:
      'A text of at most 2000 bytes with an optional title of 40. With an uploaded image (fileKey) it is MMS, ' +
      `without one LMS. ${bytes}`,
  },
  international: {
    summary: 'Send an SMS abroad',
    description:
      'One part holds 160 characters of the GSM alphabet, or 70 when there is any other; a longer text is split ' +
      'into parts of 153 or 67 and may take 5 of them. Some countries want a registered sender or signature.',
  },
  rcs: {
    summary: 'Send an RCS message',
    description:
      'Give either content (standalone, carousel or template, as formatId asks) or the carriers’ own body, and ' +
      'then their buttons too. How many cards, buttons and characters there may be, formatId decides. When the ' +
      `RCS message fails, fallback is sent as SMS or MMS.\n\n${formatLimits()}`,
  },
  alimtalk: {
    summary: 'Send an alimtalk',
    description:
      'A notification whose words follow an approved template. When it fails, fallback is sent as SMS or MMS. ' +
      'Item lists, quick replies and prices need an omni send.',
  },
  friendtalk: {
    summary: 'Send a friendtalk',
    description:
      'A free message to friends of the channel: text, image or wide image. The other kinds need an omni send. ' +
      'When it fails, fallback is sent as SMS or MMS.',
  },
  brandmessage: {
    summary: 'Send a brand message',
    description:
      'An advertisement, written here (sendType free) or taken from a registered template (basic). The whole ' +
      'content may take 30720 bytes of JSON. When it fails, fallback is sent as SMS or MMS.',
  },
}

const inquiry: Link = {
  operationId: 'findReports',
  description: 'What became of the message',
  parameters: { msgKey: '$response.body#/msgKey' },
}

const order: readonly ChannelName[] = [
  ...(['sms', 'mms', 'international', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'] as const),
]

export const sendOperations: readonly Operation[] = order.map((channel) => ({
  id: `send${bodyName(channel).replace('Message', '')}`,
  method: 'post',
  path: `/v1/send/${channel}`,
  tag: 'Send',
  ...words[channel],
  parameters: [dryRun, sendAt, idempotencyKey],
  body: {
    contentType: 'application/json',
    schema: ref(bodyName(channel)),
    description: 'The message; at most 256 KB',
  },
  answer: {
    description: 'Accepted: it will not be lost. Its reports tell whether it was delivered',
    schema: ref('SendAnswer'),
  },
  codes: sendCodes[channel],
  links: { reports: inquiry },
  examples: sendExamples[channel],
}))
