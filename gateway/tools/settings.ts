/** Formats the settings as the table of the page _Configuration_ and as `.env.example`. */
import { ConfigSchema } from '../src/platform/settings/config-schema.ts'
import { environmentName } from '../src/platform/settings/config.ts'
import { toTable } from './markdown.ts'

interface Setting {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly standard: string
}

const required = new Set<string>(ConfigSchema.required)
const settings = Object.entries(ConfigSchema.properties).map(([key, schema]): Setting => {
  const { description = '', default: standard } = schema as { description?: string; default?: unknown }
  return {
    name: environmentName(key),
    description,
    required: required.has(key) && standard === undefined,
    standard:
      standard === undefined
        ? ''
        : Array.isArray(standard)
          ? standard.join(',')
          : JSON.stringify(standard).replaceAll('"', ''),
  }
})

export function settingTable(): string {
  const rows = settings.map(({ name, description, ...setting }) => {
    const standard = setting.standard === '' ? 'not set' : `\`${setting.standard}\``
    return [`\`${name}\``, setting.required ? '**required**' : standard, description]
  })
  return toTable([['Variable', 'Default', 'Meaning'], ...rows])
}

/** Descriptions link to other pages from `docs/reference`; the file is in the root of the repository. */
export function environmentExample(): string {
  const lines = settings.flatMap((setting) => [
    `# ${setting.description.replaceAll('](../', '](docs/').replaceAll(/\]\((?=[\w-]+\.md)/g, '](docs/reference/')}`,
    `${setting.required ? '' : '# '}${setting.name}=${setting.standard}`,
    '',
  ])
  return ['# Generated from gateway/src/platform/settings/config-schema.ts.', '', ...lines].join('\n')
}
