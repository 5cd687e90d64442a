/**
 * The named schemas of the OpenAPI document, described once and referenced. They are the schemas of the channels and
 * endpoints, so the document describes only what the server checks.
 */
import { Type, type TSchema } from 'typebox'
import {
  DestinationAnswer,
  DryRunAnswer,
  DryRunDestination,
  DryRunEffect,
  DryRunProblem,
  DryRunStep,
  OmniAnswer,
  SendAnswer,
} from '../../pipeline/accept/responses.ts'
import { maxSteps } from '../../pipeline/accept/flow.ts'
import { maxDestinations, OmniBody } from '../../pipeline/accept/omni.ts'
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
import { ErrorAnswer, PlainAnswer } from '../../contract/answer.ts'
import { ListedMessage, MessageListAnswer } from '../../records/messages/list-http.ts'
import { StreamPosition } from '../../records/feed/http.ts'
import { InquiryAnswer, PollAnswer, StreamAnswer } from '../../records/reports/http.ts'
import { Report } from '../../records/reports/report-record.ts'
import { ReplyBatchAnswer, ReplyStreamAnswer } from '../../records/replies/http.ts'
import { ReplyRecord } from '../../records/replies/reply.ts'
import { Usage, UsageAnswer } from '../../records/usage/http.ts'
import { ConversionAnswer, ConversionRequest } from '../../trust/abuse/conversion-http.ts'
import { ChangedAnswer, ChoiceAnswer, SuppressionRequest } from '../../trust/suppression/http.ts'
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

const extension = (schema: object): object => ({
  ...schema,
  'x-beyond-contract': 'Part of dry runs, which the contract does not have.',
})

const bodies = Object.values(channels).map((channel): [string, TSchema] => [
  bodyName(channel.name),
  described(channel.schema, `One ${channel.name} message`),
])

const entries = Object.values(channels).flatMap((channel): [string, TSchema][] =>
  channel.entry === null
    ? []
    : [[entryName(channel.name), described(channel.entry, `A ${channel.name} message in a flow`)]],
)

/** The object of one channel: `{"sms": {…}}`. */
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

/** The schema of the server, with the flow added, which the server checks channel by channel. */
export const OmniRequest = {
  ...OmniBody,
  description: 'A flow of messages, or a form with one, and its recipients',
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
      'Messages in send order, as in messageFlow of an omni send. Texts may contain placeholders #{key}, which are ' +
        'replaced by the replaceWords of each destination.',
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
        'The image, with a file name of at most 40 characters. The service determines its formats, dimensions and ' +
        'bytes, see above; they are detected from the content, not from the name.',
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
  ['TokenAnswer', described(TokenAnswer, 'Response to a token request')],
  ['SendAnswer', described(SendAnswer, 'Response to a send')],
  ['OmniAnswer', described(OmniAnswer, 'Response to an omni send')],
  ['DestinationAnswer', DestinationAnswer],
  ['DryRunAnswer', extension(described(DryRunAnswer, 'Response to a send with dryRun=true'))],
  ['DryRunDestination', extension(DryRunDestination)],
  ['DryRunEffect', extension(DryRunEffect)],
  ['DryRunStep', extension(DryRunStep)],
  ['DryRunProblem', extension(DryRunProblem)],
  ['UploadAnswer', described(UploadAnswer, 'Response to an upload')],
  ['RegisteredFormAnswer', described(RegisteredAnswer, 'Response to the registration or change of a form')],
  ['FoundFormAnswer', described(FoundForm, 'Response to a request for a form')],
  ['ConversionRequest', described(ConversionRequest, 'Messages whose code was used')],
  ['ConversionAnswer', described(ConversionAnswer, 'Response to a report of used codes')],
  ['SuppressionRequest', described(SuppressionRequest, 'Recipients to suppress')],
  ['SuppressionChangedAnswer', described(ChangedAnswer, 'Response to a change of the list')],
  ['SuppressionAnswer', described(ChoiceAnswer, 'Response to the lookup of a recipient')],
  ['PollAnswer', described(PollAnswer, 'Response to polling')],
  ['InquiryAnswer', described(InquiryAnswer, 'Response to an inquiry')],
  ['Report', Report],
  ['StreamAnswer', described(StreamAnswer, 'Response of the report stream')],
  ['StreamPosition', StreamPosition],
  ['ReplyRecord', ReplyRecord],
  ['ReplyBatchAnswer', described(ReplyBatchAnswer, 'Response of polling for replies')],
  ['ReplyStreamAnswer', described(ReplyStreamAnswer, 'Response of the stream of replies')],
  ['MessageListAnswer', described(MessageListAnswer, 'Response to a search of messages')],
  ['ListedMessage', ListedMessage],
  ['MessageAnswer', described(MessageAnswer, 'Response to a request for a message')],
  ['MessageOutcome', MessageOutcome],
  ['MessageStep', MessageStep],
  ['MessageEvent', MessageEvent],
  ['UsageAnswer', described(UsageAnswer, 'Response to a request for the usage')],
  ['Usage', Usage],
  ['WebhookRequest', webhooks.CreateBody],
  ['WebhookChange', webhooks.ChangeBody],
  ['WebhookRotation', webhooks.RotateBody],
  ['WebhookReplay', webhooks.ReplayBody],
  ['Webhook', webhooks.WebhookItem],
  ['WebhookTry', webhooks.TryItem],
  ['WebhookFailure', webhooks.FailedItem],
  ['CreatedWebhookAnswer', described(webhooks.CreatedAnswer, 'Response to the creation of a webhook')],
  ['WebhookAnswer', described(webhooks.WebhookAnswer, 'Response to a request for a webhook, or to a change')],
  ['WebhooksAnswer', described(webhooks.ListAnswer, 'Response with the list of webhooks')],
  ['WebhookTestAnswer', described(webhooks.TestAnswer, 'Response to a test')],
  ['WebhookSecretAnswer', described(webhooks.RotatedAnswer, 'Response to the rotation of a secret')],
  ['WebhookReplayAnswer', described(webhooks.ReplayAnswer, 'Response to a replay')],
  ['WebhookDeliveriesAnswer', described(webhooks.DeliveriesAnswer, 'Response with the last pushes')],
  ['PlainAnswer', PlainAnswer],
  ['ErrorAnswer', ErrorAnswer],
])
