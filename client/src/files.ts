/** Images for later messages. */
import type { Caller, CallOptions } from './call.ts'
import type { Operations } from './generated/operations.ts'
import type { PlainAnswer, UploadAnswer } from './generated/types.ts'

/** What the image is for; the reference of the API lists the kinds. */
export interface UploadTarget {
  readonly serviceType: Operations['uploadImage']['path']['serviceTypeOrFileKey']
  readonly msgType?: Operations['uploadImageOfKind']['path']['msgType'] | undefined
  readonly subType?: Operations['uploadImageOfSubkind']['path']['subType'] | undefined
}

export interface UploadFile {
  readonly content: Blob | Uint8Array<ArrayBuffer> | ArrayBuffer
  /** At most 40 characters. */
  readonly name: string
}

export class Files {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** The references to the image that messages take: `fileKey`, `media` or `imgUrl`. */
  async upload(
    { serviceType, msgType, subType }: UploadTarget,
    { content, name }: UploadFile,
    options?: CallOptions,
  ): Promise<UploadAnswer['data']> {
    const form = new FormData()
    form.set('file', content instanceof Blob ? content : new Blob([content]), name)
    // FormData stands for the type of the document, which has one field.
    const body = form as never
    if (msgType === undefined)
      return (
        await this.#caller.call('uploadImage', { path: { serviceTypeOrFileKey: serviceType }, body }, options)
      ).data
    if (subType === undefined)
      return (await this.#caller.call('uploadImageOfKind', { path: { serviceType, msgType }, body }, options))
        .data
    const path = { serviceType, msgType, subType }
    return (await this.#caller.call('uploadImageOfSubkind', { path, body }, options)).data
  }

  delete(fileKey: string, options?: CallOptions): Promise<PlainAnswer> {
    return this.#caller.call('deleteFile', { path: { serviceTypeOrFileKey: fileKey } }, options)
  }
}
