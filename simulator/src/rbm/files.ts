/** Files that messages may name: by address, or uploaded. Keeps names only, a bounded number of them. */
import { fieldsOf, objectOf, textOf } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { makeRoom } from '../shared/make-room.ts'
import { boundaryOf, MalformedMultipart, readMultipart } from '../shared/multipart.ts'
import { isUrl } from './media.ts'

const MAX_FILES = 10_000
const MAX_METADATA_BYTES = 8192

/** `agentId` of the JSON part of an upload in two parts; empty without one. */
export function uploadingAgent(contentType: string, body: Buffer): string {
  try {
    const [metadata] = readMultipart(body, boundaryOf(contentType))
    return textOf(objectOf(fieldsOf(metadata?.body ?? Buffer.alloc(0), MAX_METADATA_BYTES))['agentId'])
  } catch (error) {
    if (error instanceof MalformedMultipart) return ''
    throw error
  }
}

export class Files {
  readonly #anyFile: boolean
  readonly #newId: () => string
  readonly #names = new Set<string>()

  constructor(anyFile: boolean, newId: () => string) {
    this.#anyFile = anyFile
    this.#newId = newId
  }

  /** The answer of `POST /v1/files`, or undefined when an address is not one. */
  create(fields: Fields): Fields | undefined {
    const { fileUrl, thumbnailUrl } = objectOf(fields)
    if (!isUrl(fileUrl) || (thumbnailUrl !== undefined && !isUrl(thumbnailUrl))) return undefined
    return { name: this.#add(), ...(thumbnailUrl === undefined ? {} : { thumbnailName: this.#add() }) }
  }

  upload(): Fields {
    return { name: this.#add() }
  }

  knows(name: string): boolean {
    return this.#anyFile || this.#names.has(name)
  }

  clear(): void {
    this.#names.clear()
  }

  #add(): string {
    makeRoom(this.#names, MAX_FILES)
    const name = `files/${this.#newId()}`
    this.#names.add(name)
    return name
  }
}
