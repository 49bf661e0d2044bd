const most = 4;

/**
 * Names as a sentence holds them: of many the first few.
 * @param {readonly string[]} names
 * @param {string} [comma]
 */
export function listNames(names, comma = ', ') {
  return names.length > most + 1 ? `${names.slice(0, most).join(comma)} and ${names.length - most} more` : names.join(comma);
}
