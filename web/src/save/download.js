/**
 * Hands a file to the person.
 * @param {Blob} blob
 * @param {string} name
 */
export function saveBlob(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Later: some browsers begin to read only after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
