import type { Caller, CallOptions, ResponseData } from './call.ts'
import type { FormRequest, PlainResponse } from './generated/types.ts'

type MessageForm = FormRequest['messageForm']

/** Manages stored flows, which are sent by their `formId`. */
export class Forms {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  create(messageForm: MessageForm, options?: CallOptions): Promise<ResponseData<'registerForm'>> {
    return this.#caller.callForData('registerForm', { body: { messageForm } }, options)
  }

  get(formId: string, options?: CallOptions): Promise<ResponseData<'showForm'>> {
    return this.#caller.callForData('showForm', { path: { formId } }, options)
  }

  update(
    formId: string,
    messageForm: MessageForm,
    options?: CallOptions,
  ): Promise<ResponseData<'changeForm'>> {
    return this.#caller.callForData('changeForm', { path: { formId }, body: { messageForm } }, options)
  }

  delete(formId: string, options?: CallOptions): Promise<PlainResponse> {
    return this.#caller.call('deleteForm', { path: { formId } }, options)
  }
}
