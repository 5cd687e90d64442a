import type { Caller, CallOptions, ResponseData } from './call.ts'
import type { Operations } from './generated/operations.ts'
import type { PlainResponse } from './generated/types.ts'

/** Intended use of the image; the API reference lists the values. */
export interface UploadTarget {
  readonly serviceType: Operations['uploadImage']['path']['serviceTypeOrFileKey']
  readonly msgType?: Operations['uploadImageOfKind']['path']['msgType'] | undefined
  readonly subType?: Operations['uploadImageOfSubkind']['path']['subType'] | undefined
}

export interface UploadFile {
  readonly content: Blob | Uint8Array<ArrayBuffer> | ArrayBuffer
  /** File name of at most 40 characters. */
  readonly name: string
}

export class Files {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** Uploads an image. Returns its `fileKey`, `media` or `imgUrl` for use in messages. */
  create(
    { serviceType, msgType, subType }: UploadTarget,
    { content, name }: UploadFile,
    options?: CallOptions,
  ): Promise<ResponseData<'uploadImage'>> {
    const form = new FormData()
    form.set('file', content instanceof Blob ? content : new Blob([content]), name)
    // The generated body type is an object with one field.
    const body = form as never
    if (msgType === undefined) {
      const path = { serviceTypeOrFileKey: serviceType }
      return this.#caller.callForData('uploadImage', { path, body }, options)
    }
    const path = { serviceType, msgType }
    return subType === undefined
      ? this.#caller.callForData('uploadImageOfKind', { path, body }, options)
      : this.#caller.callForData('uploadImageOfSubkind', { path: { ...path, subType }, body }, options)
  }

  delete(fileKey: string, options?: CallOptions): Promise<PlainResponse> {
    return this.#caller.call('deleteFile', { path: { serviceTypeOrFileKey: fileKey } }, options)
  }
}
