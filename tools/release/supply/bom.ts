/**
 * Creates the software bill of materials (CycloneDX) of a production installation from the lockfile only:
 * reproducible and without a network.
 */

/** An entry of `packages` in package-lock.json; only fields that are read. */
export interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
}

export interface Component {
  readonly type: 'library'
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly { readonly expression: string }[]
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[]
}

export interface Bom {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.5'
  readonly version: 1
  readonly metadata: {
    readonly component: { readonly type: 'application'; readonly name: string; readonly version: string }
  }
  readonly components: readonly Component[]
}

/**
 * `root` is the workspace whose version is stated, such as `gateway`. The components are the production packages of
 * all workspaces.
 */
export function createBom(
  packages: Readonly<Record<string, LockedPackage>>,
  root: string,
  name: string,
): Bom {
  const components = new Map<string, Component>()
  for (const [path, one] of Object.entries(packages)) {
    const at = path.lastIndexOf('node_modules/')
    if (at < 0 || one.dev === true || one.link === true || one.version === undefined) continue
    const component = describe(path.slice(at + 'node_modules/'.length), one.version, one)
    components.set(component.purl, component)
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version: packages[root]?.version ?? '0.0.0' } },
    components: [...components.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
  }
}

function describe(name: string, version: string, { license, integrity }: LockedPackage): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const digest = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(digest === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
  }
}
