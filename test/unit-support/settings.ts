import {
  settingTable,
  type PlainSetting,
  type ReadSettings,
  type SettingValue,
} from '../../src/host/settings/settingTable';

/** Settings with these values, which may change later. All others have their defaults. */
export function settingsWith(values: { readonly [Key in PlainSetting]?: SettingValue<Key> }): ReadSettings {
  return {
    get<Key extends PlainSetting>(key: Key): SettingValue<Key> {
      return values[key] ?? settingTable[key].default;
    },
  };
}
