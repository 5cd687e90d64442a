import type { ChannelName } from '../../../../channels/channel.ts'
import { sendCodes } from '../codes.ts'
import { sendExamples } from '../examples/sends.ts'
import type { OperationLink, Operation } from '../operation.ts'
import { dryRun, idempotencyKey, sendAt, ttl } from '../parameters.ts'
import { ref } from '../ref.ts'
import { formatLimits } from '../format-limits.ts'
import { bodyName } from '../schemas.ts'

interface Texts {
  readonly summary: string
  readonly description: string
}

const bytes =
  'Bytes are counted in CP949: one for ASCII, two for Hangul. Characters that CP949 does not have are refused.'

const texts: Readonly<Record<ChannelName, Texts>> = {
  sms: { summary: 'Send an SMS', description: `A text of at most 90 bytes. ${bytes}` },
  mms: {
    summary: 'Send an LMS or MMS',
    description:
      'A text of at most 2000 bytes with an optional title of at most 40 bytes. With an uploaded image (fileKey) it is ' +
      `an MMS, without one an LMS. ${bytes}`,
  },
  international: {
    summary: 'Send an international SMS',
    description:
      'One part has 160 characters of the GSM alphabet, or 70 with any other character; a longer text is split into at ' +
      'most 5 parts of 153 or 67. Some countries require a registered sender or signature. A message to +82 is sent as a ' +
      'domestic SMS, or as an LMS if it is longer than 90 bytes, with all of their rules.',
  },
  rcs: {
    summary: 'Send an RCS message',
    description:
      'Give either content (standalone, carousel or template, depending on formatId) or the body of the carriers’ format ' +
      'with its buttons. formatId determines how many cards, buttons and characters are allowed. When the RCS message ' +
      `fails, fallback is sent as SMS or MMS.\n\n${formatLimits()}`,
  },
  alimtalk: {
    summary: 'Send an alimtalk',
    description:
      'A notification with the text of an approved template. When it fails, fallback is sent as SMS or MMS. ' +
      'Item lists, quick replies and prices require an omni send.',
  },
  friendtalk: {
    summary: 'Send a friendtalk',
    description:
      'A free-form message to friends of the channel: text, image or wide image. The other kinds require an omni send. ' +
      'When it fails, fallback is sent as SMS or MMS.',
  },
  brandmessage: {
    summary: 'Send a brand message',
    description:
      'An advertisement, free-form (sendType free) or from a registered template (basic). The whole content may have ' +
      'at most 30720 bytes of JSON. When it fails, fallback is sent as SMS or MMS.',
  },
}

const inquiry: OperationLink = {
  operationId: 'findReports',
  description: 'The reports of the message',
  parameters: { msgKey: '$response.body#/msgKey' },
}

const order: readonly ChannelName[] = [
  'sms',
  'mms',
  'international',
  'rcs',
  'alimtalk',
  'friendtalk',
  'brandmessage',
]

export const sendOperations: readonly Operation[] = order.map((channel) => ({
  id: `send${bodyName(channel).replace('Message', '')}`,
  method: 'post',
  path: `/v1/send/${channel}`,
  tag: 'Send',
  ...texts[channel],
  parameters: [dryRun, sendAt, ttl, idempotencyKey],
  body: {
    contentType: 'application/json',
    schema: ref(bodyName(channel)),
    description: 'The message; at most 256 KB',
  },
  response: {
    description: 'Accepted and stored durably. Its reports state whether it was delivered',
    schema: ref('SendResponse'),
  },
  codes: sendCodes[channel],
  links: { reports: inquiry },
  examples: sendExamples[channel],
}))
