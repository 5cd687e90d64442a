import type { Caller, CallOptions, SendOptions } from './call.ts'
import { createApiError, PosternApiError } from './errors.ts'
import type * as types from './generated/types.ts'
import { toIsoTime } from './iso-time.ts'
import { sendAll, type SendAllOptions, type SendAllResult } from './send-all.ts'

/** Message types by channel. */
export interface ChannelMessages {
  readonly sms: types.SmsMessage
  readonly mms: types.MmsMessage
  readonly international: types.InternationalMessage
  readonly rcs: types.RcsMessage
  readonly alimtalk: types.AlimtalkMessage
  readonly friendtalk: types.FriendtalkMessage
  readonly brandmessage: types.BrandmessageMessage
}

export type Channel = keyof ChannelMessages

const operationIds = {
  sms: 'sendSms',
  mms: 'sendMms',
  international: 'sendInternational',
  rcs: 'sendRcs',
  alimtalk: 'sendAlimtalk',
  friendtalk: 'sendFriendtalk',
  brandmessage: 'sendBrandmessage',
  omni: 'sendOmni',
} as const

/** Sends messages, by default with a new Idempotency-Key so that retries send nothing twice. */
export class Send {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  sms(message: types.SmsMessage, options?: SendOptions): Promise<types.SendResponse> {
    return this.to('sms', message, options)
  }

  /** Sends an MMS, or an LMS if the message has no file. */
  mms(message: types.MmsMessage, options?: SendOptions): Promise<types.SendResponse> {
    return this.to('mms', message, options)
  }

  international(message: types.InternationalMessage, options?: SendOptions): Promise<types.SendResponse> {
    return this.to('international', message, options)
  }

  rcs(message: types.RcsMessage, options?: SendOptions): Promise<types.SendResponse> {
    return this.to('rcs', message, options)
  }

  alimtalk(message: types.AlimtalkMessage, options?: SendOptions): Promise<types.SendResponse> {
    return this.to('alimtalk', message, options)
  }

  friendtalk(message: types.FriendtalkMessage, options?: SendOptions): Promise<types.SendResponse> {
    return this.to('friendtalk', message, options)
  }

  brandmessage(message: types.BrandmessageMessage, options?: SendOptions): Promise<types.SendResponse> {
    return this.to('brandmessage', message, options)
  }

  /** Sends a flow to up to ten recipients, each with a code in the response. Throws if all are rejected. */
  async omni(
    request: types.OmniRequest,
    options: Omit<SendOptions, 'ttlSeconds'> = {},
  ): Promise<types.OmniResponse> {
    const response = await this.#caller.call('sendOmni', toInput(request, options), options)
    const { destinations } = response.data
    // A destination with A920 may have been accepted, so it is not rejected.
    if (destinations.every(({ code }) => code !== 'A000' && code !== 'A920'))
      throw createApiError({ ...destinations[0]!, status: 200, body: { ...response } })
    return response
  }

  /** Sends over a channel selected at run time. */
  to<Name extends Channel>(
    channel: Name,
    message: ChannelMessages[Name],
    options: SendOptions = {},
  ): Promise<types.SendResponse> {
    // `operationIds` and `ChannelMessages` pair each operation with its body.
    return this.#caller.call(operationIds[channel], toInput(message, options) as never, options)
  }

  /** Sends any number of messages from an array or a stream, with limited concurrency. */
  all<Name extends Channel>(
    channel: Name,
    messages: Iterable<ChannelMessages[Name]> | AsyncIterable<ChannelMessages[Name]>,
    options: SendAllOptions<ChannelMessages[Name]> = {},
  ): AsyncGenerator<SendAllResult<ChannelMessages[Name]>, void> {
    return sendAll(messages, (message, sendOptions) => this.to(channel, message, sendOptions), options)
  }

  /** Checks a request without sending it. Returns problems instead of throwing. */
  async dryRun<Name extends Channel | 'omni'>(
    channel: Name,
    request: Name extends Channel ? ChannelMessages[Name] : types.OmniRequest,
    options: Omit<SendOptions, 'idempotencyKey'> = {},
  ): Promise<types.DryRunResponse> {
    try {
      const { query } = toInput(request, options)
      const input = { query: { ...query, dryRun: true }, body: request }
      return (await this.#caller.call(
        operationIds[channel],
        input as never,
        options,
      )) as unknown as types.DryRunResponse
    } catch (error) {
      if (error instanceof PosternApiError && error.body.data !== undefined)
        return error.body as unknown as types.DryRunResponse
      throw error
    }
  }

  /** Cancels a scheduled message before its send time. */
  cancel(msgKey: string, options?: CallOptions): Promise<types.PlainResponse> {
    return this.#caller.call('cancelSend', { path: { msgKey } }, options)
  }
}

function toInput<Body>(
  body: Body,
  { idempotencyKey = crypto.randomUUID(), sendAt, ttlSeconds }: SendOptions,
) {
  return {
    body,
    query: { sendAt: toIsoTime(sendAt), ttl: ttlSeconds?.toString() },
    headers: idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
  }
}
