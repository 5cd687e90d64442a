/** The published SDKs, and the driver of each that its registry provides. */
export interface Sdk {
  readonly language: string
  readonly name: string
  /** The driver's command, or why there is none. */
  readonly driver: readonly string[] | { readonly notRun: string }
}

export const sdks: readonly Sdk[] = [
  {
    language: 'JavaScript',
    name: '@infobank/infobank-omni-sdk-js',
    driver: [process.execPath, 'interop/js/drive.ts'],
  },
  {
    language: 'Go',
    name: 'github.com/icomm-api/infobank-omni-sdk-go',
    driver: { notRun: 'the Go module proxy did not give it when this was last tried (2026-11-15)' },
  },
  {
    language: 'Java',
    name: 'io.github.icomm-api:infobank-omni-sdk-java',
    driver: { notRun: 'Maven Central had no such artifact when this was last tried (2026-11-15)' },
  },
]
