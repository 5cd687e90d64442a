import { causes } from '../../channels/cause.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { Bubble, toPlainText } from './bubble.ts'
import type { SandboxMessage, SandboxStep } from './read.ts'
import { showContent } from './show-content.ts'
import { stepStates } from './step-state.ts'

const channelNames = Object.keys(channels) as ChannelName[]

export const channel = oneOf(channelNames, 'Channel')
export const state = oneOf(
  stepStates,
  'delivered: the phone shows it; failed: it does not; pending: no receipt yet; no-receipt: the step ended without one',
)

export const SandboxStepSchema = record(
  {
    step: whole('Step of the flow, from 1; higher ones are fallbacks'),
    channel,
    msgType: nullable(text('Type of the message in its channel, such as LM or FT')),
    from: nullable(text('Sender number, chatbot or sender key')),
    route: text('ID of the route'),
    submittedAt: time('When the carrier received it'),
    state,
    stateAt: nullable(time('When it was delivered or failed')),
    cause: nullable(oneOf(causes, 'Why it failed')),
    carrierCode: nullable(text("The carrier's code")),
    code: nullable(text('Report code; null until the message is closed')),
    codeText: nullable(text('Meaning of the code')),
    text: nullable(text('All readable text; null if it is not shown')),
    bubble: nullable(Bubble),
    hidden: nullable(
      oneOf(
        ['other-route', 'erased'],
        'Why its content is not shown: a step of the message used a route outside the sandbox, or it is erased',
      ),
    ),
  },
  'A submitted step of a message',
  { title: 'SandboxStep' },
)

export const SandboxMessageSchema = record(
  {
    msgKey: text('Key of the message'),
    account: nullable(text('Client ID of its account')),
    to: text('Recipient; masked if a step used a route outside the sandbox'),
    ref: nullable(text("The client's reference; null if a step used such a route")),
    acceptedAt: time('When it was accepted'),
    state: oneOf(['open', 'closed'], 'closed: all steps are final'),
    steps: list(SandboxStepSchema, 'Submitted steps, in order'),
  },
  'A message to a sandbox phone',
  { title: 'SandboxMessage' },
)

export function showSandboxMessage({ open, steps, ...message }: SandboxMessage) {
  const { msgKey, account, to, ref, acceptedAt } = message
  return {
    msgKey,
    account,
    to,
    ref,
    acceptedAt,
    state: open ? ('open' as const) : ('closed' as const),
    steps: steps.map(showStep),
  }
}

export function showStep({ content, ...step }: SandboxStep) {
  const bubble = content === null ? null : showContent(content)
  const hidden = content === null ? ('other-route' as const) : bubble === null ? ('erased' as const) : null
  return {
    ...step,
    ...(content === null || bubble === null
      ? { msgType: null, from: null, text: null }
      : {
          msgType: channels[content.channel].msgType(content),
          from: getSender(content),
          text: toPlainText(bubble),
        }),
    bubble,
    hidden,
  }
}

function getSender(content: NonNullable<SandboxStep['content']>): string | null {
  const number = channels[content.channel].sender(content)
  if (number !== '' || 'text' in content) return number
  return (content.content as { readonly senderKey?: string }).senderKey ?? null
}

/** Maximum length of a preview. */
const maxPreview = 120

/** Returns the preview of a message for the list of phones. */
export function toPreview(message: SandboxMessage): { readonly preview: string; readonly step: SandboxStep } {
  const step = message.steps.at(-1)!
  const { text: fullText } = showStep(step)
  return { preview: (fullText ?? '').replaceAll(/\s+/g, ' ').slice(0, maxPreview), step }
}
