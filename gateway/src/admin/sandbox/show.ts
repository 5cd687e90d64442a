/** Messages of the sandbox as the admin API answers them. Pure. */
import { causes } from '../../channels/cause.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { Bubble, plainText } from './bubble.ts'
import type { SandboxMessage, SandboxStep } from './read.ts'
import { showContent } from './show-content.ts'
import { stepStates } from './step-state.ts'

const channelNames = Object.keys(channels) as ChannelName[]

export const channel = oneOf(channelNames, 'Channel')
export const state = oneOf(
  stepStates,
  'delivered: the phone shows it. failed: it does not. pending: no receipt yet. no-receipt: the step has ended without one',
)

export const Step = record(
  {
    step: whole('Step of the flow, from 1: a higher one is a fallback'),
    channel,
    msgType: nullable(text('Type of the message in its channel, such as LM or FT')),
    from: nullable(text('Sender number, chatbot or sender key')),
    route: text('Id of the route'),
    submittedAt: time('When the carrier got it'),
    state,
    stateAt: nullable(time('When it was delivered, or failed')),
    cause: nullable(oneOf(causes, 'Why it failed')),
    carrierCode: nullable(text("The carrier's code")),
    code: nullable(text('Report code; null until the message has ended')),
    codeText: nullable(text('What the code means')),
    text: nullable(text('All that can be read in it; null when it is not shown')),
    bubble: nullable(Bubble),
    hidden: nullable(
      oneOf(
        ['other-route', 'erased'],
        'Why its content is not shown: a step of the message went over a route that is not of the sandbox, or it is erased',
      ),
    ),
  },
  'A step of a message that was submitted',
  { title: 'SandboxStep' },
)

export const Message = record(
  {
    msgKey: text('Key of the message'),
    account: nullable(text('Client id of its account')),
    to: text('Recipient; masked when a step went over a route that is not of the sandbox'),
    ref: nullable(text("The client's reference; null when a step went over such a route")),
    acceptedAt: time('When it was accepted'),
    state: oneOf(['open', 'closed'], 'closed: it has ended'),
    steps: list(Step, 'Steps that were submitted, in their order'),
  },
  'A message to a phone of the sandbox',
  { title: 'SandboxMessage' },
)

export function showMessage({ open, steps, ...message }: SandboxMessage) {
  const { msgKey, account, to, ref, acceptedAt } = message
  return {
    ...{ msgKey, account, to, ref, acceptedAt },
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
          from: senderOf(content),
          text: plainText(bubble),
        }),
    ...{ bubble, hidden },
  }
}

function senderOf(content: NonNullable<SandboxStep['content']>): string | null {
  const number = channels[content.channel].sender(content)
  if (number !== '' || 'text' in content) return number
  return (content.content as { readonly senderKey?: string }).senderKey ?? null
}

/** Characters of the preview of a message. */
const maxPreview = 120

/** What a list of phones says about the last message of each. */
export function previewOf(message: SandboxMessage): { readonly preview: string; readonly step: SandboxStep } {
  const step = message.steps.at(-1)!
  const { text: whole } = showStep(step)
  return { preview: (whole ?? '').replaceAll(/\s+/g, ' ').slice(0, maxPreview), step }
}
