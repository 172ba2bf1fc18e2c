/** Name of a machine in the user's ssh configuration, or its address; nothing that ssh could take for an option. */
export const HOST_ADDRESS =
  /^ssh:\/\/(?:[A-Za-z0-9_][\w.-]{0,63}@)?[A-Za-z0-9_](?:[\w.-]{0,251}[A-Za-z0-9_])?(?::\d{1,5})?$/;

/** Whether a place is another machine, by its name alone. */
export const isMachine = (place: string): place is `ssh://${string}` => place.startsWith('ssh://');

/** The machine without the user and the port, for reports: `sut` of `ssh://bench@sut:22`. */
export const machineOf = (address: string): string => address.replace(/^ssh:\/\/(?:[^@]*@)?|:\d+$/g, '');
