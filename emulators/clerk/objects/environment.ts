// GET /v1/environment: the settings of the instance, as a Clerk dashboard would have them. The components follow them.
import { type Config, resolveTarget } from '../../core/config';
import { AVATAR } from './json';
import { OAUTH_PROVIDER } from './oauth';

const OFF = {
  enabled: false,
  required: false,
  used_for_first_factor: false,
  first_factors: [],
  used_for_second_factor: false,
  second_factors: [],
  verifications: [],
  verify_at_sign_up: false,
};

const EMAIL_ADDRESS = {
  ...OFF,
  enabled: true,
  required: true,
  used_for_first_factor: true,
  first_factors: ['email_code'],
  verifications: ['email_code'],
  verify_at_sign_up: true,
};

const ATTRIBUTES = {
  email_address: EMAIL_ADDRESS,
  password: { ...OFF, enabled: true, required: true },
  first_name: OFF,
  last_name: OFF,
  phone_number: OFF,
  username: OFF,
  web3_wallet: OFF,
  authenticator_app: OFF,
  backup_code: OFF,
  passkey: OFF,
};

const PASSWORD_SETTINGS = {
  min_length: 8,
  max_length: 72,
  disable_hibp: true,
  show_zxcvbn: false,
  min_zxcvbn_strength: 0,
  require_lowercase: false,
  require_uppercase: false,
  require_numbers: false,
  require_special_char: false,
  allowed_special_characters: '',
};

/** The app's addresses are absolute, because the Account Portal is on another origin. */
export function environmentJson(config: Config, clerkUrl: string) {
  const home = config.appUrl;
  return {
    object: 'environment',
    id: 'env_emulator',
    maintenance_mode: false,
    auth_config: {
      object: 'auth_config',
      id: 'aac_emulator',
      single_session_mode: true,
      claimed_at: null,
      reverification: false,
    },
    display_config: {
      object: 'display_config',
      id: 'display_config_emulator',
      application_name: config.appName,
      instance_environment_type: 'production',
      branded: false,
      show_devmode_warning: false,
      preferred_sign_in_strategy: 'password',
      captcha_public_key: null,
      captcha_widget_type: null,
      captcha_provider: 'turnstile',
      captcha_public_key_invisible: null,
      captcha_oauth_bypass: [],
      home_url: home,
      sign_in_url: config.signInUrl ? resolveTarget(config, config.signInUrl) : `${clerkUrl}/sign-in`,
      sign_up_url: config.signUpUrl ? resolveTarget(config, config.signUpUrl) : `${clerkUrl}/sign-up`,
      after_sign_in_url: home,
      after_sign_up_url: home,
      after_sign_out_all_url: home,
      after_sign_out_one_url: home,
      after_switch_session_url: home,
      user_profile_url: `${clerkUrl}/user`,
      logo_image_url: '',
      favicon_image_url: '',
      support_email: '',
      theme: {},
      terms_url: '',
      privacy_policy_url: '',
    },
    user_settings: {
      attributes: ATTRIBUTES,
      social: {
        [OAUTH_PROVIDER.strategy]: {
          enabled: true,
          required: false,
          authenticatable: true,
          block_email_subaddresses: false,
          strategy: OAUTH_PROVIDER.strategy,
          not_selectable: false,
          deprecated: false,
          name: OAUTH_PROVIDER.name,
          logo_url: AVATAR,
        },
      },
      enterprise_sso: { enabled: false },
      saml: { enabled: false },
      sign_in: { second_factor: { required: false, enabled: false } },
      sign_up: {
        captcha_enabled: false,
        progressive: true,
        mode: 'public',
        legal_consent_enabled: false,
        allowlist_only: false,
      },
      password_settings: PASSWORD_SETTINGS,
      passkey_settings: { allow_autofill: false, show_sign_in_button: false },
      actions: { delete_self: true, create_organization: false },
    },
    organization_settings: { enabled: false },
    commerce_settings: { billing: { user: { enabled: false }, organization: { enabled: false } } },
  };
}
