/** Flows that are registered once and sent by their formId. */
import type { Caller, CallOptions } from './call.ts'
import type * as types from './generated/types.ts'

export class Forms {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  async register(
    messageForm: types.FormRequest['messageForm'],
    options?: CallOptions,
  ): Promise<types.RegisteredFormAnswer['data']> {
    return (await this.#caller.call('registerForm', { body: { messageForm } }, options)).data
  }

  async get(formId: string, options?: CallOptions): Promise<types.FoundFormAnswer['data']> {
    return (await this.#caller.call('showForm', { path: { formId } }, options)).data
  }

  async change(
    formId: string,
    messageForm: types.FormRequest['messageForm'],
    options?: CallOptions,
  ): Promise<types.RegisteredFormAnswer['data']> {
    return (await this.#caller.call('changeForm', { path: { formId }, body: { messageForm } }, options)).data
  }

  delete(formId: string, options?: CallOptions): Promise<types.PlainAnswer> {
    return this.#caller.call('deleteForm', { path: { formId } }, options)
  }
}
