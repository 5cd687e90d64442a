/** Webhooks of the account. `webhook-receiver.ts` is the other side: it verifies what arrives. */
import type { Caller, CallOptions } from './call.ts'
import type * as types from './generated/types.ts'

export class Webhooks {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** The answer has the secret, which is shown once. */
  async create(
    webhook: types.WebhookRequest,
    options?: CallOptions,
  ): Promise<types.CreatedWebhookAnswer['data']> {
    return (await this.#caller.call('createWebhook', { body: webhook }, options)).data
  }

  async list(options?: CallOptions): Promise<types.WebhooksAnswer['data']> {
    return (await this.#caller.call('listWebhooks', {}, options)).data
  }

  async get(webhookId: string, options?: CallOptions): Promise<types.WebhookAnswer['data']> {
    return (await this.#caller.call('showWebhook', { path: { webhookId } }, options)).data
  }

  async change(
    webhookId: string,
    change: types.WebhookChange,
    options?: CallOptions,
  ): Promise<types.WebhookAnswer['data']> {
    return (await this.#caller.call('changeWebhook', { path: { webhookId }, body: change }, options)).data
  }

  delete(webhookId: string, options?: CallOptions): Promise<types.PlainAnswer> {
    return this.#caller.call('deleteWebhook', { path: { webhookId } }, options)
  }

  /** Pushes a test report and returns what became of it. */
  async test(webhookId: string, options?: CallOptions): Promise<types.WebhookTestAnswer['data']> {
    return (await this.#caller.call('testWebhook', { path: { webhookId } }, options)).data
  }

  /** A new secret; the previous one signs beside it for a time. */
  async rotate(
    webhookId: string,
    rotation: types.WebhookRotation = {},
    options?: CallOptions,
  ): Promise<types.WebhookSecretAnswer['data']> {
    return (await this.#caller.call('rotateWebhook', { path: { webhookId }, body: rotation }, options)).data
  }

  async replay(
    webhookId: string,
    which: types.WebhookReplay,
    options?: CallOptions,
  ): Promise<types.WebhookReplayAnswer['data']> {
    return (await this.#caller.call('replayWebhook', { path: { webhookId }, body: which }, options)).data
  }

  async deliveries(webhookId: string, options?: CallOptions): Promise<types.WebhookDeliveriesAnswer['data']> {
    return (await this.#caller.call('listDeliveries', { path: { webhookId } }, options)).data
  }
}
