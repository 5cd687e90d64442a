/** The operations of the admin API that commands use: `npm run generate` writes their types to `operations.ts`. Pure data. */
export const usedOperations = [
  'showMe',
  ...['showMessage', 'searchRecipient', 'cancelMessage'],
  ...['listRoutes', 'showRoute', 'explainRoute', 'enableRoute', 'pauseRoute', 'drainRoute', 'disableRoute'],
  ...['setRouteRate', 'deleteRoute'],
] as const
