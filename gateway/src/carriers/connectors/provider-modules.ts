/**
 * Loads provider modules of operators: the files listed in POSTERN_PROVIDER_MODULES. A module is code with all rights of
 * the process, so only the environment names modules; routes and API requests cannot.
 */
import { pathToFileURL } from 'node:url'
import { channels } from '../../channels/registry.ts'
import { ConfigError, environmentName } from '../../platform/settings/config.ts'
import { registerProvider } from './registry.ts'
import * as kit from './providers/kit/index.ts'
import type { Provider } from './providers/kit/provider.ts'

/** The default export of a module. */
export type ProviderModule = (given: typeof kit) => Provider

const loaded = new Set<string>()

/** Throws an error that names the file. Skips files that are already loaded. */
export async function loadProviderModules(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (loaded.has(path)) continue
    try {
      registerProvider(await loadProvider(path))
    } catch (cause) {
      throw new ConfigError(
        `${environmentName('providerModules')}: ${path} is not a provider module: ${(cause as Error).message}. Correct the file or remove it from the setting; see docs/contributing/add-a-provider.md`,
      )
    }
    loaded.add(path)
  }
}

async function loadProvider(path: string): Promise<Provider> {
  const { default: create } = (await import(pathToFileURL(path).href)) as { readonly default?: unknown }
  if (typeof create !== 'function') throw new Error('the default export must be a function')
  const provider: unknown = (create as ProviderModule)(kit)
  requireProvider(provider)
  return provider
}

/** Checks at run time what the compiler checks for providers of this repository. */
function requireProvider(given: unknown): asserts given is Provider {
  const provider = (given ?? {}) as Readonly<Record<keyof Provider, unknown>>
  const requireThat = (holds: boolean, constraint: string): void => {
    if (!holds) throw new Error(`${constraint} in the object that the default export returns`)
  }
  const { name } = provider
  requireThat(
    typeof name === 'string' && /^[a-z0-9-]{1,32}$/.test(name),
    'name must be 1 to 32 lower-case letters, digits and hyphens',
  )
  requireThat(typeof provider.summary === 'string', 'summary must be a string')
  requireThat(
    Array.isArray(provider.channels) &&
      provider.channels.length > 0 &&
      provider.channels.every((channel) => Object.hasOwn(channels, channel as string)),
    `channels must be an array of ${Object.keys(channels).join(', ')}`,
  )
  for (const field of ['account', 'example'] as const)
    requireThat(typeof provider[field] === 'object' && provider[field] !== null, `${field} must be an object`)
  requireThat(Array.isArray(provider.sources), 'sources must be an array of URLs')
  for (const field of ['login', 'send', 'parseResponse'] as const)
    requireThat(typeof provider[field] === 'function', `${field} must be a function`)
}
