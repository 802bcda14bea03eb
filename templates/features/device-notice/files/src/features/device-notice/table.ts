export interface DeviceNoticeTables {
  known_devices: {
    user_id: string;
    device_hash: string;
    first_seen_at: number;
  };
}
