/**
 * Creates objects on a Kubernetes API server from YAML and reads them back as JSON. The server provides the
 * path of a kind, adds defaults and rejects unknown fields.
 */
import { waitForCondition } from '../engines/wait-for-condition.ts'
import type { ApiServer } from './api-server.ts'

export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: Readonly<Record<string, unknown>>
}

interface Kinds {
  readonly resources?: readonly { kind: string; name: string; namespaced: boolean }[]
}

/** Returns the documents of rendered YAML that contain an object. */
export function splitDocuments(yaml: string): readonly string[] {
  return yaml.split(/^---.*$/m).filter((document) => /^kind: /m.test(document))
}

export class ClusterObjects {
  readonly #server: ApiServer

  constructor(server: ApiServer) {
    this.#server = server
  }

  /**
   * Creates the object, or with `dryRun` only checks and completes it. Throws the server's message if it is
   * rejected.
   */
  async create(
    namespace: string,
    document: string | KubernetesObject,
    dryRun = false,
  ): Promise<KubernetesObject> {
    const { apiVersion, kind } = typeof document === 'string' ? typeOf(document) : document
    const path = await this.#collection(namespace, apiVersion, kind)
    const content = typeof document === 'string' ? document : JSON.stringify(document)
    const options = `fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`
    const { status, body } = await this.#server.request('POST', `${path}?${options}`, content)
    if (status !== 201) throw new Error(`${kind} refused: ${status} ${messageOf(body).slice(0, 2000)}`)
    return JSON.parse(body) as KubernetesObject
  }

  /** Returns the message with which the server rejects an object. */
  async refusal(namespace: string, document: string | KubernetesObject): Promise<string> {
    try {
      await this.create(namespace, document, true)
    } catch (error) {
      return (error as Error).message
    }
    throw new Error(`accepted, but must be rejected: ${JSON.stringify(document).slice(0, 500)}`)
  }

  async read(
    namespace: string,
    { apiVersion, kind, metadata: { name } }: KubernetesObject,
  ): Promise<KubernetesObject | undefined> {
    const path = `${await this.#collection(namespace, apiVersion, kind)}/${name}`
    const { status, body } = await this.#server.request('GET', path)
    if (status === 404) return undefined
    if (status !== 200) throw new Error(`${path}: ${status} ${messageOf(body)}`)
    return JSON.parse(body) as KubernetesObject
  }

  /** Changes a part of an object, such as `scale` or `status`, as a controller does. */
  async patch(
    namespace: string,
    { apiVersion, kind, metadata: { name } }: KubernetesObject,
    part: string,
    change: object,
  ): Promise<void> {
    const path = `${await this.#collection(namespace, apiVersion, kind)}/${name}/${part}`
    const type = 'application/merge-patch+json'
    const { status, body } = await this.#server.request('PATCH', path, JSON.stringify(change), type)
    if (status !== 200) throw new Error(`${path}: ${status} ${messageOf(body)}`)
  }

  /** A custom kind is served shortly after its definition was created. */
  async #collection(namespace: string, apiVersion: string, kind: string): Promise<string> {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    let path: string | undefined
    const isServed = async (): Promise<boolean> => {
      const { status, body } = await this.#server.request('GET', base)
      if (status !== 200) return false
      const found = (JSON.parse(body) as Kinds).resources?.find(
        (resource) => resource.kind === kind && !resource.name.includes('/'),
      )
      if (found === undefined) return false
      path = found.namespaced ? `${base}/namespaces/${namespace}/${found.name}` : `${base}/${found.name}`
      return (await this.#server.request('GET', `${path}?limit=1`)).status === 200
    }
    if (!(await waitForCondition(30_000, isServed))) throw new Error(`${apiVersion} ${kind} is not served`)
    return path!
  }
}

function typeOf(document: string): { apiVersion: string; kind: string } {
  const apiVersion = /^apiVersion: ([\w./]+)/m.exec(document)?.[1]
  const kind = /^kind: (\w+)/m.exec(document)?.[1]
  if (apiVersion === undefined || kind === undefined)
    throw new Error(`no apiVersion or kind in: ${document.slice(0, 200)}`)
  return { apiVersion, kind }
}

function messageOf(body: string): string {
  try {
    return (JSON.parse(body) as { message?: string }).message ?? body
  } catch {
    return body
  }
}
