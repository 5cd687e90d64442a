/**
 * Files that messages can reference, by URL or uploaded. Keeps a bounded number of names and no file data.
 */
import { toObject } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import { isUrl } from './media.ts'

const MAX_FILES = 10_000
const fileType = /^(?:(?:image|audio|video)\/[a-z0-9.+-]+|application\/(?:ogg|pdf))$/i

export class RbmFiles {
  readonly #anyFile: boolean
  readonly #newId: () => string
  readonly #names = new Set<string>()

  constructor(anyFile: boolean, newId: () => string) {
    this.#anyFile = anyFile
    this.#newId = newId
  }

  /** Returns the response to `POST /v1/files`, or undefined if a URL is invalid. */
  create(fields: Fields): Fields | undefined {
    const { fileUrl, thumbnailUrl } = toObject(fields)
    if (!isUrl(fileUrl) || (thumbnailUrl !== undefined && !isUrl(thumbnailUrl))) return undefined
    return { name: this.#add(), ...(thumbnailUrl === undefined ? {} : { thumbnailName: this.#add() }) }
  }

  /** Returns undefined if the content type is not a file type. */
  upload(contentType: string): Fields | undefined {
    return fileType.test(contentType) ? { name: this.#add() } : undefined
  }

  knows(name: string): boolean {
    return this.#anyFile || this.#names.has(name)
  }

  clear(): void {
    this.#names.clear()
  }

  #add(): string {
    evictOldest(this.#names, MAX_FILES)
    const name = `files/${this.#newId()}`
    this.#names.add(name)
    return name
  }
}
