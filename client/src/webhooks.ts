import type { Caller, CallOptions, ResponseData } from './call.ts'
import type * as types from './generated/types.ts'

export class Webhooks {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** Creates a webhook. Only this response contains the secret. */
  create(webhook: types.WebhookRequest, options?: CallOptions): Promise<ResponseData<'createWebhook'>> {
    return this.#caller.callForData('createWebhook', { body: webhook }, options)
  }

  get(webhookId: string, options?: CallOptions): Promise<ResponseData<'showWebhook'>> {
    return this.#caller.callForData('showWebhook', { path: { webhookId } }, options)
  }

  async list(options?: CallOptions): Promise<readonly types.Webhook[]> {
    return (await this.#caller.callForData('listWebhooks', {}, options)).webhook
  }

  update(
    webhookId: string,
    change: types.WebhookChange,
    options?: CallOptions,
  ): Promise<ResponseData<'changeWebhook'>> {
    return this.#caller.callForData('changeWebhook', { path: { webhookId }, body: change }, options)
  }

  delete(webhookId: string, options?: CallOptions): Promise<types.PlainResponse> {
    return this.#caller.call('deleteWebhook', { path: { webhookId } }, options)
  }

  /** Pushes a test report and returns the result. */
  test(webhookId: string, options?: CallOptions): Promise<ResponseData<'testWebhook'>> {
    return this.#caller.callForData('testWebhook', { path: { webhookId } }, options)
  }

  /** Creates a new secret. Pushes are also signed with the previous one until it expires. */
  rotate(
    webhookId: string,
    rotation: types.WebhookRotation = {},
    options?: CallOptions,
  ): Promise<ResponseData<'rotateWebhook'>> {
    return this.#caller.callForData('rotateWebhook', { path: { webhookId }, body: rotation }, options)
  }

  replay(
    webhookId: string,
    selection: types.WebhookReplay,
    options?: CallOptions,
  ): Promise<ResponseData<'replayWebhook'>> {
    return this.#caller.callForData('replayWebhook', { path: { webhookId }, body: selection }, options)
  }

  listDeliveries(webhookId: string, options?: CallOptions): Promise<ResponseData<'listDeliveries'>> {
    return this.#caller.callForData('listDeliveries', { path: { webhookId } }, options)
  }
}
