/**
 * Whether somebody is at this page. Screens read their figures again and again; such requests must not keep the session of an operator who has
 * left, so they are marked as background (`Postern-Background`).
 */
const activeMs = 60_000

let lastInputAt = performance.now()

for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(type, () => (lastInputAt = performance.now()), { capture: true, passive: true })

export function activityHeaders(): Readonly<Record<string, string>> {
  return performance.now() - lastInputAt < activeMs ? {} : { 'postern-background': '1' }
}
