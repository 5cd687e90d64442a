/**
 * Named schemas of the OpenAPI document, each described once and referenced. They are built from the schemas that the
 * server validates with, so that the document does not differ from it.
 */
import {
  DestinationResponse,
  DryRunResponse,
  DryRunDestination,
  DryRunEffect,
  DryRunProblem,
  DryRunStep,
  OmniSendResponse,
  SendResponse,
} from '../../../pipeline/accept/responses.ts'
import * as batches from '../../../pipeline/batches/responses.ts'
import { BatchRecipient } from '../../../pipeline/batches/upload.ts'
import { maxSteps } from '../../../pipeline/accept/flow.ts'
import { maxDestinations, OmniBody } from '../../../pipeline/accept/omni.ts'
import { Highlight, Items } from '../../../channels/alimtalk/items.ts'
import * as alimtalk from '../../../channels/alimtalk/schema.ts'
import * as brandmessage from '../../../channels/brandmessage/schema.ts'
import type { ChannelName } from '../../../channels/channel.ts'
import * as friendtalk from '../../../channels/friendtalk/friendtalk.ts'
import { Attachment } from '../../../channels/kakao/bubble.ts'
import { KakaoButton } from '../../../channels/kakao/buttons.ts'
import { Carousel } from '../../../channels/kakao/carousel.ts'
import { Commerce } from '../../../channels/kakao/commerce.ts'
import { Coupon } from '../../../channels/kakao/coupon.ts'
import { KakaoFallback } from '../../../channels/kakao/fallback.ts'
import { KakaoImage } from '../../../channels/kakao/image.ts'
import { QuickReply } from '../../../channels/kakao/quick-replies.ts'
import { Video } from '../../../channels/kakao/video.ts'
import { WideItems } from '../../../channels/kakao/wide-items.ts'
import * as rcsEntry from '../../../channels/rcs/entry.ts'
import * as rcsFallback from '../../../channels/rcs/fallback.ts'
import * as rcs from '../../../channels/rcs/schema.ts'
import { channels } from '../../../channels/registry.ts'
import { explainReportCode, reportCodes, toReportOutcome } from '../../../channels/report-codes.ts'
import { FormContentResponse, FormResponse } from '../../../records/forms/http.ts'
import { UploadResponse } from '../../../records/files/http.ts'
import {
  TimelineResponse,
  MessageEvent,
  MessageOutcome,
  MessageStep,
} from '../../../records/timeline/http.ts'
import { ErrorResponseSchema, StatusResponse } from '../../../contract/response.ts'
import {
  MessageListItem,
  MessageListResponse,
  MessageSearchRequest,
} from '../../../records/messages/list-http.ts'
import { StreamPosition } from '../../../records/feed/http.ts'
import { InquiryResponse, ReportBatchResponse, ReportStreamResponse } from '../../../records/reports/http.ts'
import { ReportSchema } from '../../../records/reports/report-record.ts'
import { ReplyBatchResponse, ReplyStreamResponse } from '../../../records/replies/http.ts'
import { ReplyRecord } from '../../../records/replies/reply.ts'
import { Usage, UsageResponse } from '../../../records/usage/http.ts'
import { ConversionResponse, ConversionRequest } from '../../../trust/abuse/conversion-http.ts'
import {
  SuppressionChangeResponse,
  SuppressionResponse,
  SuppressionRecipient,
  SuppressionRequest,
} from '../../../trust/suppression/http.ts'
import { Notice } from '../../webhooks/body.ts'
import * as webhooks from '../../webhooks/schema.ts'
import { TokenResponse } from '../tokens/http.ts'
import { ref } from './ref.ts'

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

/** Adds a description unless the schema has one. */
const described = (schema: object, description: string): object => ({ description, ...schema })
/** Replaces the description. */
const redescribed = (schema: object, description: string): object => ({ ...schema, description })

const dryRunExtension = (schema: object): object => ({
  ...schema,
  'x-beyond-contract': 'Part of dry runs, which the contract does not have.',
})

type Entry = readonly [name: string, schema: object]

/** Returns two named objects: a response and its `data`. */
const response = (
  name: string,
  schema: { readonly properties: { readonly data: object } },
  description: string,
): Entry[] => [
  [`${name}Response`, described(schema, `Response to ${description}`)],
  [`${name}Data`, schema.properties.data],
]

/** Returns a union of named objects. */
const union = (name: string, description: string, members: readonly Entry[]): Entry[] => [
  [name, { description, oneOf: members.map(([member]) => ref(member)) }],
  ...members,
]

const single = (name: string, description: string, field: string, schema: object): Entry => [
  name,
  {
    type: 'object',
    description,
    properties: { [field]: schema },
    required: [field],
    additionalProperties: false,
  },
]

const bodies = Object.values(channels).map((channel): Entry => [
  bodyName(channel.name),
  described(channel.schema, `One ${channel.name} message`),
])

const entries = Object.values(channels).flatMap((channel): Entry[] =>
  channel.entry === null
    ? []
    : [[entryName(channel.name), described(channel.entry, `A ${channel.name} message in a flow`)]],
)

const flowSteps = union(
  'FlowStep',
  `One message of a flow: an object with exactly one of ${entries.length} channels`,
  Object.values(channels)
    .filter(({ entry }) => entry !== null)
    .map(({ name }) =>
      single(`${channelTitles[name]}FlowStep`, `A step by ${name}`, name, ref(entryName(name))),
    ),
)

const flowField = (description: string) => ({
  type: 'array',
  minItems: 1,
  maxItems: maxSteps,
  description: `${description} At most ${maxSteps}; when one fails, the next is sent.`,
  items: ref('FlowStep'),
})

const { destinations, messageForm, paymentCode, ref: reference } = OmniBody.properties

const omniRequest = (description: string, field: string, schema: object): object => ({
  ...OmniBody,
  description,
  properties: {
    destinations: { ...destinations, maxItems: maxDestinations },
    [field]: schema,
    paymentCode,
    ref: reference,
  },
  required: ['destinations', field],
})

/** Adds the flow to the server's schema, which leaves it to the channels. */
const omniRequests = union('OmniRequest', 'Recipients, and either messageFlow or messageForm', [
  [
    'OmniFlowRequest',
    omniRequest('A flow of messages and its recipients', 'messageFlow', flowField('Messages in send order.')),
  ],
  ['OmniFormRequest', omniRequest('A registered form and its recipients', 'messageForm', messageForm)],
])

const BatchRequest = {
  ...batches.BatchBody,
  description: 'A flow for many recipients: exactly one of messageFlow and messageForm is required',
  properties: { ...batches.BatchBody.properties, messageFlow: flowField('Messages in send order.') },
}

const FormRequest = {
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

const FoundForm = {
  ...FormContentResponse,
  properties: {
    ...FormContentResponse.properties,
    data: {
      ...FormContentResponse.properties.data,
      properties: {
        ...FormContentResponse.properties.data.properties,
        messageForm: {
          type: 'array',
          items: ref('FlowStep'),
          description: 'The messages as they were registered, in order',
        },
      },
    },
  },
}

const { msgKey, failedSince, allSince } = webhooks.ReplayBody.properties
const time = { format: 'date-time' }

const replays = union(
  'WebhookReplay',
  'What to push again: exactly one of msgKey, failedSince and allSince',
  [
    single('WebhookReplayOfMessage', 'The reports of a message, or a reply', 'msgKey', msgKey),
    single('WebhookReplayOfFailed', 'Pushes that failed', 'failedSince', { ...failedSince, ...time }),
    single('WebhookReplayOfAll', 'All reports, or all replies', 'allSince', { ...allSince, ...time }),
  ],
)

const ReportCode = redescribed(
  ReportSchema.properties.reportCode,
  [
    'Result of a step, five digits. `x-report-codes` has the cause and the next action of each code; codes may be added.',
    '',
    ...reportCodes.map(
      (code) => `- ${code} (${toReportOutcome(code)}): ${explainReportCode(code, 'en')!.text}`,
    ),
  ].join('\n'),
)

const dryRunSchemas: readonly Entry[] = [
  ...response('DryRun', DryRunResponse, 'a send with dryRun=true'),
  ['DryRunDestination', DryRunDestination],
  ['DryRunEffect', DryRunEffect],
  ['DryRunEffectKind', DryRunEffect.properties.effect],
  ['DryRunStep', DryRunStep],
  ['DryRunProblem', DryRunProblem],
]
const dryRuns = dryRunSchemas.map(([name, schema]): Entry => [name, dryRunExtension(schema)])

const UploadRequest = {
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

const enums: readonly Entry[] = [
  ['AlimtalkType', alimtalk.FlowEntry.properties.msgType],
  ['AlimtalkCurrency', alimtalk.FlowEntry.properties.currencyType],
  ['FriendtalkType', friendtalk.SimpleBody.properties.msgType],
  ['BrandmessageSendType', brandmessage.FlowEntry.properties.sendType],
  ['BrandmessageTargeting', brandmessage.FlowEntry.properties.targeting],
  ['KakaoBubbleType', friendtalk.FlowEntry.properties.msgType],
  ['KakaoButtonType', KakaoButton.properties.type],
  ['KakaoQuickReplyType', QuickReply.properties.type],
  ['RcsButtonType', rcs.RcsButton.properties.type],
  ['RcsExpiryOption', rcsEntry.FlowEntry.properties.expiryOption],
  ['FallbackType', redescribed(KakaoFallback.properties.type, 'Kind of text message')],
  ['YesNo', redescribed(friendtalk.FlowEntry.properties.adFlag, 'Y or N')],
  ['ZeroOne', redescribed(rcsEntry.FlowEntry.properties.header, '0: no, 1: yes')],
  [
    'ReportOutcome',
    redescribed(
      ReportSchema.properties.outcome,
      'unknown: the message may have been delivered, and sending it again may deliver it twice',
    ),
  ],
  ['MessageState', TimelineResponse.properties.data.properties.state],
  ['InquiryState', InquiryResponse.properties.state],
  ['MessageStepState', MessageStep.properties.state],
  ['SuppressionState', SuppressionResponse.properties.data.properties.state],
  ['SuppressionChange', SuppressionChangeResponse.properties.data.properties.state],
  ['WebhookEvents', webhooks.WebhookItem.properties.events],
  ['WebhookAcknowledgement', webhooks.WebhookItem.properties.acknowledgement],
  ['WebhookNoticeType', Notice.properties.type],
  ['WebhookDisableReason', Notice.properties.data.properties.reason],
]

const { list: cards, head, tail } = Carousel.properties
const { suggestions } = rcs.CardButtons.properties
const { attachment, supplement } = alimtalk.FlowEntry.properties

export const namedSchemas: ReadonlyMap<string, object> = new Map<string, object>([
  ...bodies,
  ...omniRequests,
  ['OmniDestination', described(destinations.items, 'A recipient')],
  ['ReplaceWords', destinations.items.properties.replaceWords],
  ['FormRequest', FormRequest],
  ['UploadRequest', UploadRequest],
  ...flowSteps,
  ...entries,
  ['RcsContent', rcs.RcsContent],
  ['RcsStandalone', rcs.Standalone],
  ['RcsCard', rcs.RcsCard],
  ['RcsTemplate', rcs.Template],
  ['RcsButton', rcs.RcsButton],
  ['RcsSubContent', rcs.SubContent],
  ['RcsBody', rcs.RcsBody],
  ['RcsBodyObject', redescribed(rcs.BodyObject, 'An object that the carriers define')],
  ['RcsCardButtons', rcs.CardButtons],
  ['RcsSuggestion', described(suggestions.items, 'A button: an action or a reply')],
  ['RcsSuggestedAction', suggestions.items.properties.action],
  ['RcsPostback', suggestions.items.properties.action.properties.postback],
  ['RcsFallback', rcsFallback.RcsFallback],
  ['KakaoFallback', KakaoFallback],
  ['KakaoAttachment', Attachment],
  ['KakaoButton', KakaoButton],
  ['KakaoImage', KakaoImage],
  ['KakaoVideo', Video],
  ['KakaoWideItems', WideItems],
  ['KakaoWideItem', WideItems.properties.list.items],
  ['KakaoCarousel', Carousel],
  ['KakaoCarouselHead', head],
  ['KakaoCarouselCard', cards.items],
  ['KakaoCarouselAttachment', cards.items.properties.attachment],
  ['KakaoCarouselTail', tail],
  ['KakaoCommerce', Commerce],
  ['KakaoCoupon', Coupon],
  [
    'BrandmessageVariables',
    redescribed(brandmessage.FlowEntry.properties.messageVariable, 'Values by variable'),
  ],
  ['AlimtalkAttachment', attachment],
  ['AlimtalkSupplement', supplement],
  ['AlimtalkItems', Items],
  ['AlimtalkItem', Items.properties.list.items],
  ['AlimtalkSummary', Items.properties.summary],
  ['AlimtalkHighlight', Highlight],
  ['AlimtalkLink', alimtalk.AlimtalkLink],
  ['AlimtalkQuickReply', QuickReply],
  ...enums,
  ...response('Token', TokenResponse, 'a token request'),
  ['SendResponse', described(SendResponse, 'Response to a send')],
  ...response('Omni', OmniSendResponse, 'an omni send'),
  ['DestinationResult', DestinationResponse],
  ['DestinationAcceptance', DestinationResponse.properties.acceptance],
  ...dryRuns,
  ['BatchRequest', BatchRequest],
  ['BatchRecipient', BatchRecipient],
  ['BatchHours', batches.BatchHours],
  ['BatchState', batches.Batch.properties.state],
  [
    'BatchDuplicates',
    redescribed(batches.Batch.properties.duplicates, 'Whether repeated recipients are dropped or kept'),
  ],
  ['BatchCounts', batches.BatchCounts],
  ['BatchCodeCounts', redescribed(batches.Batch.properties.codes, 'Counts by code')],
  ['Batch', batches.Batch],
  ['BatchResponse', described(batches.BatchResponse, 'Response to a request for a batch, or to a change')],
  ...response('BatchList', batches.BatchListResponse, 'a request for the batches'),
  ...response('BatchPart', batches.BatchPartResponse, 'an upload of recipients'),
  ['CancelRequest', batches.CancelBody],
  ...response('Cancelled', batches.CancelResponse, 'a cancellation by ref'),
  ...response('Upload', UploadResponse, 'an upload'),
  ...response('RegisteredForm', FormResponse, 'the registration or change of a form'),
  ...response('FoundForm', FoundForm, 'a request for a form'),
  ['ConversionRequest', described(ConversionRequest, 'Messages whose code was used')],
  ...response('Conversion', ConversionResponse, 'a report of used codes'),
  ['SuppressionRequest', described(SuppressionRequest, 'Recipients to suppress')],
  ['SuppressionRecipient', described(SuppressionRecipient, 'A recipient')],
  ...response('SuppressionChanged', SuppressionChangeResponse, 'a change of the list'),
  ...response('Suppression', SuppressionResponse, 'the lookup of a recipient'),
  ...response('Poll', ReportBatchResponse, 'polling'),
  ...response('Inquiry', InquiryResponse, 'an inquiry'),
  ['Report', ReportSchema],
  ['ReportCode', ReportCode],
  ...response('Stream', ReportStreamResponse, 'a request for the report stream'),
  ['StreamPosition', StreamPosition],
  ['ReplyRecord', ReplyRecord],
  ...response('ReplyBatch', ReplyBatchResponse, 'polling for replies'),
  ...response('ReplyStream', ReplyStreamResponse, 'a request for the stream of replies'),
  ['MessageSearchRequest', described(MessageSearchRequest, 'A search for messages')],
  ...response('MessageList', MessageListResponse, 'a search of messages'),
  ['ListedMessage', MessageListItem],
  ...response('Message', TimelineResponse, 'a request for a message'),
  ['MessageOutcome', MessageOutcome],
  ['MessageStep', MessageStep],
  ['MessageEvent', MessageEvent],
  ...response('Usage', UsageResponse, 'a request for the usage'),
  ['Usage', Usage],
  ['WebhookRequest', webhooks.CreateBody],
  ['WebhookChange', webhooks.ChangeBody],
  ['WebhookRotation', webhooks.RotateBody],
  ...replays,
  ['Webhook', webhooks.WebhookItem],
  ['WebhookTry', webhooks.AttemptItem],
  ['WebhookFailure', webhooks.FailedItem],
  ...response('CreatedWebhook', webhooks.CreatedWebhookResponse, 'the creation of a webhook'),
  [
    'WebhookResponse',
    described(webhooks.WebhookResponse, 'Response to a request for a webhook, or to a change'),
  ],
  ...response('Webhooks', webhooks.WebhookListResponse, 'a request for the webhooks'),
  ...response('WebhookTest', webhooks.WebhookTestResponse, 'a test'),
  ...response('WebhookSecret', webhooks.RotatedSecretResponse, 'the rotation of a secret'),
  ...response('WebhookReplay', webhooks.ReplayResponse, 'a replay'),
  ...response('WebhookDeliveries', webhooks.DeliveriesResponse, 'a request for the last pushes'),
  ['WebhookNotice', Notice],
  ['WebhookNoticeData', Notice.properties.data],
  single('ReportReceipt', 'Acknowledges a report', 'msgKey', {
    type: 'string',
    description: 'msgKey of the report',
  }),
  single('ReplyReceipt', 'Acknowledges a reply', 'replyId', {
    type: 'string',
    description: 'replyId of the reply',
  }),
  ['PlainResponse', StatusResponse],
  ['ErrorResponse', ErrorResponseSchema],
])
