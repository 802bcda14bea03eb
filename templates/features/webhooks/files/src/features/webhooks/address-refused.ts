/** The receiver's address is none that webhooks may reach. */
export class AddressRefused extends Error {
  constructor() {
    super('The address is not public.');
    this.name = 'AddressRefused';
  }
}
