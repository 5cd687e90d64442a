/**
 * Schemas that the document names, so that they are described once and referred to. The objects are the channels' own:
 * nothing is described here that the server does not check.
 */
import { Type, type TSchema } from 'typebox'
import { DestinationAnswer, OmniAnswer, SendAnswer } from '../../pipeline/accept/answers.ts'
import {
  DryRunAnswer,
  DryRunDestination,
  DryRunProblem,
  DryRunStep,
} from '../../pipeline/accept/dry-run-answer.ts'
import { maxDestinations, maxSteps, OmniBody } from '../../pipeline/accept/omni.ts'
import { Highlight, Items } from '../../channels/alimtalk/items.ts'
import { Link } from '../../channels/alimtalk/schema.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { Attachment } from '../../channels/kakao/bubble.ts'
import { Button } from '../../channels/kakao/buttons.ts'
import { Carousel } from '../../channels/kakao/carousel.ts'
import { Commerce } from '../../channels/kakao/commerce.ts'
import { Coupon } from '../../channels/kakao/coupon.ts'
import { Fallback } from '../../channels/kakao/fallback.ts'
import { Image } from '../../channels/kakao/image.ts'
import { QuickReply } from '../../channels/kakao/quick-replies.ts'
import { Video } from '../../channels/kakao/video.ts'
import { WideItems } from '../../channels/kakao/wide-items.ts'
import * as rcsFallback from '../../channels/rcs/fallback.ts'
import * as rcs from '../../channels/rcs/schema.ts'
import { channels } from '../../channels/registry.ts'
import { FoundAnswer, RegisteredAnswer } from '../../forms/http.ts'
import { UploadAnswer } from '../../files/http.ts'
import { MessageAnswer, MessageEvent, MessageOutcome, MessageStep } from '../../records/timeline/http.ts'
import { PlainAnswer } from '../../contract/answer.ts'
import { InquiryAnswer, PollAnswer, Report } from '../../records/reports/http.ts'
import { StreamAnswer, StreamPosition } from '../../records/reports/stream-http.ts'
import { Usage, UsageAnswer } from '../../records/usage/http.ts'
import { TokenAnswer } from '../tokens/http.ts'
import * as webhooks from '../../webhooks/schema.ts'

const channelTitles: Readonly<Record<ChannelName, string>> = {
  sms: 'Sms',
  mms: 'Mms',
  international: 'International',
  rcs: 'Rcs',
  alimtalk: 'Alimtalk',
  friendtalk: 'Friendtalk',
  brandmessage: 'Brandmessage',
}

export const bodyName = (channel: ChannelName): string => `${channelTitles[channel]}Message`
const entryName = (channel: ChannelName): string => `${channelTitles[channel]}Step`

const described = (schema: TSchema, description: string): TSchema => ({ description, ...schema })

const ours = (schema: object): object => ({ ...schema, 'x-beyond-contract': 'Of dry runs, which are ours.' })

const bodies = Object.values(channels).map((channel): [string, TSchema] => [
  bodyName(channel.name),
  described(channel.schema, `One ${channel.name} message`),
])

const entries = Object.values(channels).flatMap((channel): [string, TSchema][] =>
  channel.entry === null
    ? []
    : [[entryName(channel.name), described(channel.entry, `A ${channel.name} message in a flow`)]],
)

/** One channel's object: `{"sms": {…}}`. */
export const FlowStep = {
  description: `One message of a flow: an object with exactly one of ${entries.length} channels`,
  oneOf: Object.values(channels)
    .filter((channel) => channel.entry !== null)
    .map(({ name }) => ({
      type: 'object',
      title: name,
      properties: { [name]: { $ref: `#/components/schemas/${entryName(name)}` } },
      required: [name],
      additionalProperties: false,
    })),
}

const flowField = (description: string) => ({
  type: 'array',
  minItems: 1,
  maxItems: maxSteps,
  description: `${description} At most ${maxSteps}; when one fails, the next is sent.`,
  items: { $ref: '#/components/schemas/FlowStep' },
})

const { destinations, messageForm, ...others } = OmniBody.properties

/** The server's schema, with the shape of the flow, which the server checks channel by channel, filled in. */
export const OmniRequest = {
  ...OmniBody,
  description: 'A flow of messages, or the form that holds one, and its recipients',
  properties: {
    destinations: { ...destinations, maxItems: maxDestinations },
    ...others,
    messageFlow: flowField('Messages in send order.'),
    messageForm,
  },
  oneOf: [{ required: ['messageFlow'] }, { required: ['messageForm'] }],
}

export const FormRequest = {
  type: 'object',
  description: 'The messages to register',
  required: ['messageForm'],
  additionalProperties: false,
  properties: {
    messageForm: flowField(
      'Messages in send order, as in messageFlow of an omni send; texts may hold placeholders #{key}, which ' +
        "each destination's replaceWords fill in.",
    ),
  },
}

export const FoundForm = Type.Object({
  ...FoundAnswer.properties,
  data: Type.Object(
    {
      ...FoundAnswer.properties.data.properties,
      messageForm: Type.Array(Type.Ref('#/components/schemas/FlowStep'), {
        description: 'The messages as they were registered, in order',
      }),
    },
    { additionalProperties: false, description: 'The form' },
  ),
})

export const UploadRequest = {
  type: 'object',
  description: 'One part named file',
  required: ['file'],
  additionalProperties: false,
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description:
        'The image, with a file name of at most 40 characters. Its formats, measures and bytes are those of ' +
        'the service, see above; they are read from the content, not from the name.',
    },
  },
}

export const namedSchemas: ReadonlyMap<string, object> = new Map<string, object>([
  ...bodies,
  ['OmniRequest', OmniRequest],
  ['FormRequest', FormRequest],
  ['UploadRequest', UploadRequest],
  ['FlowStep', FlowStep],
  ...entries,
  ['RcsContent', rcs.Content],
  ['RcsStandalone', rcs.Standalone],
  ['RcsCard', rcs.Card],
  ['RcsTemplate', rcs.Template],
  ['RcsButton', rcs.Button],
  ['RcsSubContent', rcs.SubContent],
  ['RcsBody', rcs.Body],
  ['RcsCardButtons', rcs.CardButtons],
  ['RcsFallback', rcsFallback.Fallback],
  ['KakaoFallback', Fallback],
  ['KakaoAttachment', Attachment],
  ['KakaoButton', Button],
  ['KakaoImage', Image],
  ['KakaoVideo', Video],
  ['KakaoWideItems', WideItems],
  ['KakaoCarousel', Carousel],
  ['KakaoCommerce', Commerce],
  ['KakaoCoupon', Coupon],
  ['AlimtalkItems', Items],
  ['AlimtalkHighlight', Highlight],
  ['AlimtalkLink', Link],
  ['AlimtalkQuickReply', QuickReply],
  ['TokenAnswer', described(TokenAnswer, 'Answer of a token request')],
  ['SendAnswer', described(SendAnswer, 'Answer of a send')],
  ['OmniAnswer', described(OmniAnswer, 'Answer of an omni send')],
  ['DestinationAnswer', DestinationAnswer],
  ['DryRunAnswer', ours(described(DryRunAnswer, 'Answer of a send with dryRun=true'))],
  ['DryRunDestination', ours(DryRunDestination)],
  ['DryRunStep', ours(DryRunStep)],
  ['DryRunProblem', ours(DryRunProblem)],
  ['UploadAnswer', described(UploadAnswer, 'Answer of an upload')],
  ['RegisteredFormAnswer', described(RegisteredAnswer, 'Answer of a registration or change')],
  ['FoundFormAnswer', described(FoundForm, 'Answer of a look at a form')],
  ['PollAnswer', described(PollAnswer, 'Answer of polling')],
  ['InquiryAnswer', described(InquiryAnswer, 'Answer of an inquiry')],
  ['Report', Report],
  ['StreamAnswer', described(StreamAnswer, 'Answer of the report stream')],
  ['StreamPosition', StreamPosition],
  ['MessageAnswer', described(MessageAnswer, 'Answer of a look at a message')],
  ['MessageOutcome', MessageOutcome],
  ['MessageStep', MessageStep],
  ['MessageEvent', MessageEvent],
  ['UsageAnswer', described(UsageAnswer, 'Answer of a look at the usage')],
  ['Usage', Usage],
  ['WebhookRequest', webhooks.CreateBody],
  ['WebhookChange', webhooks.ChangeBody],
  ['WebhookRotation', webhooks.RotateBody],
  ['WebhookReplay', webhooks.ReplayBody],
  ['Webhook', webhooks.WebhookItem],
  ['WebhookTry', webhooks.TryItem],
  ['WebhookFailure', webhooks.FailedItem],
  ['CreatedWebhookAnswer', described(webhooks.CreatedAnswer, 'Answer of the making of a webhook')],
  ['WebhookAnswer', described(webhooks.WebhookAnswer, 'Answer of a look at a webhook, or of a change')],
  ['WebhooksAnswer', described(webhooks.ListAnswer, 'Answer of the list of webhooks')],
  ['WebhookTestAnswer', described(webhooks.TestAnswer, 'Answer of a test')],
  ['WebhookSecretAnswer', described(webhooks.RotatedAnswer, 'Answer of the replacement of a secret')],
  ['WebhookReplayAnswer', described(webhooks.ReplayAnswer, 'Answer of a replay')],
  ['WebhookDeliveriesAnswer', described(webhooks.DeliveriesAnswer, 'Answer of a look at the last pushes')],
  ['PlainAnswer', PlainAnswer],
])
